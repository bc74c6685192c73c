"""Small worlds that several tests share: crowds, stories, triples, trees, served studies."""
