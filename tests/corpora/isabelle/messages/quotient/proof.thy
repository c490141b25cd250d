by (lifting TrueI)
