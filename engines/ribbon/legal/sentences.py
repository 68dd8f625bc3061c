"""The sentences that refuse moves."""

NO_PLACE = "There's no such place. Choose 1 to 12."
HAS_SWAPPED = "You've already swapped this turn."
NO_SWAP_AFTER_EXCHANGE = "You've already exchanged a card, so you can't swap neighbours this turn."
BOTH_FACE_DOWN = "You can't swap two face-down cards."
HAS_EXCHANGED = "You've already exchanged a card this turn."
FACE_DOWN = "You can't exchange a face-down card."
OTHER_HAND = "You can't use that hand this turn."
NOT_HELD = "You don't have that card."
NO_ARRANGING_NOW = "You can't swap or exchange now."
NO_RIBBON = "There's no such ribbon."
RIBBON_TAKEN = "That ribbon is taken."
NO_HAND = "There's no such hand."
FACE_UP = "That card is already face up."
NO_OFFER_NOW = "You can't offer a tie now."
NOT_NOW = {
    "choose_ribbon": "You can't do that yet. First choose a ribbon.",
    "choose_hand": "You can't do that yet. First choose a hand.",
    "flip": "You can't do that yet. First flip a card.",
    "arrange": "You can't do that now. Swap, exchange or end your turn.",
    "tie_vote": "You can't do that yet. First say yes or no to the tie.",
}
