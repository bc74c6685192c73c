"""Items of the example studies, in our own words, with what a simulated crowd leans to."""
