"""Formation tours: four knights that move as one (Besa, Johnson, Mamano, Osegueda, Williams 2022)."""
