"""The organiser's side of tournaments: descriptions, entrants, verbs, what everybody may see of them."""
