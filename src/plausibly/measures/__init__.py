"""Pure numbers from columns: agreement, correlation, resampling."""
