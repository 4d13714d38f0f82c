/** Words that say nothing about what code does; nearly every comment and question has them. */
export const stopWords: ReadonlySet<string> = new Set(
  (
    "a about after all also an and any are as at be been before being but by can could did do does each for from had " +
    "has have he her here his how i if in instead into is it its just may me might more most must my no not now of on " +
    "only or our out over own shall she should so some such than that the their them then there these they this those " +
    "to too up us used uses using very via was we were what when where which while who why will with would you your " +
    "e eg etc ie"
  ).split(" "),
);
