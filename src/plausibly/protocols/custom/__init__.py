"""A protocol of one's own: any items, any form, the whole journey."""
