"""Mixed models of answers: linear, logistic and ordinal, with crossed random effects."""
