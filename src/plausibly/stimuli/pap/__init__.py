"""PAP: attested and perturbed events by abstractness."""
