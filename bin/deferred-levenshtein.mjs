// fastest-levenshtein, loaded at its first use: it makes a table of 262 kB, which the start-up snapshot would hold, for the rare
// question which name was meant. The bundle puts this in its place.
export const distance = (a, b) => require("fastest-levenshtein").distance(a, b);
