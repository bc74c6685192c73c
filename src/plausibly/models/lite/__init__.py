"""Small models that come with the package: word vectors baked in, no further library needed."""
