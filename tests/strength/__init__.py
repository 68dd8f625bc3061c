"""How strong the computer players are: what they are measured against."""
