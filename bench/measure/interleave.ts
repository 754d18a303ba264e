/**
 * Measures one after the other, and again: A B, B A, A B … So whatever else happens on the machine meets all of them,
 * and whoever comes second in a round gains or loses nothing by it.
 * @returns per name, one result per repetition, in order
 */
export async function interleave<N extends string, R>(
  repetitions: number,
  contenders: Readonly<Record<N, () => Promise<R>>>,
): Promise<Record<N, R[]>> {
  const names = Object.keys(contenders) as N[];
  const results = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<N, R[]>;
  for (let repetition = 0; repetition < repetitions; repetition++) {
    const order = repetition % 2 === 0 ? names : names.toReversed();
    for (const name of order) results[name].push(await contenders[name]());
  }
  return results;
}
