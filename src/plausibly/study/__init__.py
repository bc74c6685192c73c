"""The study folder: steps, the resumable runner, manifests."""
