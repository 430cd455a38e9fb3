/** Order of model names by the versions in them: the newest generation first, as far as names show it. */

/** Sizes such as `70b` and dates are no versions. */
const SIZE_OR_DATE = /\d+(?:\.\d+)?(?:b|k|m)\b|\d{4}-\d{2}-\d{2}|\b\d{2}-(?:\d{4}|\d{2})\b|\d{4,}|\b0\d+/gi

const versionOf = (name: string): number[] =>
  (name.replace(SIZE_OR_DATE, ' ').match(/\d+/g) ?? []).slice(0, 2).map(Number)

const hasDate = (name: string) => /\d{4}-\d{2}-\d{2}|\d{6,8}/.test(name)

/** Names without a version stand last; of one version, names without a date first. */
export const newestFirst = (names: readonly string[]): string[] =>
  names
    .map((name, place) => ({ name, place, version: versionOf(name) }))
    .sort(
      (a, b) => compare(b.version, a.version) || Number(hasDate(a.name)) - Number(hasDate(b.name)) || a.place - b.place,
    )
    .map(({ name }) => name)

const compare = (a: number[], b: number[]): number => (a[0] ?? -1) - (b[0] ?? -1) || (a[1] ?? -1) - (b[1] ?? -1)
