/** Of the demo's people those that a first look is for: each shares in another way. src/cli/demo_people_test.cpp has them, too. */
export const demoPeople: readonly string[] = ["maren-holm", "jonas-nair", "freya-sato", "chiara-oduya"];
