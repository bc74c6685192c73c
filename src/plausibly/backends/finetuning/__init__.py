"""Fine-tuning of sentence encoders on pairs of texts; the only home of its torch."""
