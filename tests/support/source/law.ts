/** The rules of docs/architecture.md, read from its tables. */

const page = await Bun.file('docs/architecture.md').text()

/** The text below a heading of the second level. */
export function sectionOf(title: string): string {
  const text = page.split(/^## /m).find(part => part.startsWith(`${title}\n`))
  if (!text) throw new Error(`docs/architecture.md has no section ${title}`)
  return text
}

/** Cells of the table below a heading, without its head. A bar inside a cell is escaped. */
export function tableOf(title: string): string[][] {
  const lines = sectionOf(title).match(/^\|.*\|$/gm) ?? []
  return lines.slice(2).map(line =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map(cell => cell.trim().replaceAll('\\|', '|')),
  )
}

/** What stands in backticks. */
export const codesIn = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code!)

const groups: Record<string, string[]> = { everything: [''] }
for (const [, name, paths] of sectionOf('Imports').matchAll(/^- \*(\w+)\*: (.*)$/gm)) groups[name!] = pathsIn(paths!)

/** Paths of a cell; the name of a group stands for its paths. */
function pathsIn(cell: string): string[] {
  const words = cell.replace(/`[^`]*`/g, '').match(/\w+/g) ?? []
  return [...codesIn(cell), ...words.flatMap(word => groups[word] ?? [])]
}

/** `*` is one name. A path that ends in `/` is a folder with all below it. */
function patternOf(path: string): RegExp {
  const escaped = path.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^/]*')
  return new RegExp(`^${escaped}${path === '' || path.endsWith('/') ? '' : '$'}`)
}

function anyOf(paths: string[]) {
  const patterns = paths.map(patternOf)
  return (path: string) => patterns.some(pattern => pattern.test(path))
}

export interface ImportRow {
  folder: RegExp
  text: string
  allows: (path: string) => boolean
  packages: string[]
}

/** Of two rows that fit a file the first holds. */
export const importRows: ImportRow[] = tableOf('Imports').map(([folder, paths, packages]) => ({
  folder: patternOf(codesIn(folder!)[0]!),
  text: folder!,
  allows: anyOf(pathsIn(paths!)),
  packages: codesIn(packages!),
}))

export const floors: string[][] = /```\n([\s\S]*?)```/
  .exec(sectionOf('Floors'))![1]!
  .trim()
  .split('\n')
  .map(line => line.split(/\s+/))

/** Files that may import the types of others upwards. */
export const typesUpwards = tableOf('Floors').map(([from, to]) => ({
  text: `${from}: ${to}`,
  isFrom: anyOf(codesIn(from!)),
  isTo: anyOf(codesIn(to!)),
}))

/** Nouns of the domain, each of which imports from those before it. */
export const nounOrder: string[] = codesIn(/^Nouns of the domain are ordered;.*?\./m.exec(sectionOf('Imports'))![0])

export const folders: string[] = tableOf('Folders').map(([folder]) => codesIn(folder!)[0]!)

/** Files that the table of files names, without their ending; a name may be a folder. */
export const namedFiles: string[] = tableOf('Files').flatMap(([folder, names]) =>
  codesIn(names!)
    .filter(name => /^[a-z0-9-]+$/.test(name))
    .map(name => codesIn(folder!)[0] + name),
)

export const bans = tableOf('Calls that have a better place').map(([banned, cure, except]) => ({
  banned: new RegExp(codesIn(banned!)[0]!),
  cure: cure!,
  isExempt: anyOf(codesIn(except!)),
}))

/** `file: name` of the state that no store resets. */
export const stateWithoutStore: string[] = tableOf('State of modules').flatMap(([file, names]) =>
  entriesOf(file!, names!),
)

export const bannedWords = new RegExp(
  `\\b(${codesIn(/do without these words: (.*)/.exec(sectionOf('Names and comments'))![1]!).join('|')})\\b`,
  'i',
)

/** `file: name` of the known exceptions from a rule. */
export const debtsOf = (rule: string): string[] =>
  tableOf('Debts').flatMap(([name, file, what]) => (name === rule ? entriesOf(file!, what!) : []))

export const debtRules: string[] = tableOf('Debts').map(([rule]) => rule!)

function entriesOf(file: string, names: string): string[] {
  return codesIn(names).map(name => `${codesIn(file)[0]}: ${name}`)
}
