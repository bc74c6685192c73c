"""GITA: implausible variants of plausible stories."""
