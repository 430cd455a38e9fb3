/** The repository's own files, read once for the tests of its rules. */
import { dirname, join } from 'node:path'

export interface SourceFile {
  /** From the top of the repository, such as `src/relay/relay.ts`. */
  path: string
  code: string
}

/** Files that match a glob, by path. */
export async function read(pattern: string): Promise<SourceFile[]> {
  const paths = await Array.fromAsync(new Bun.Glob(pattern).scan())
  return Promise.all(paths.sort().map(async path => ({ path, code: await Bun.file(path).text() })))
}

export const withoutComments = (code: string) => code.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')

/** Each comment of a file: blocks whole, lines one by one. Addresses such as `https://` are no comments. */
export const commentsOf = (code: string): string[] => code.match(/\/\*[\s\S]*?\*\/|(?<![:'"`\w/\\])\/\/.*$/gm) ?? []

/** What a file imports, as it is written. Types are erased before. */
function specifiersOf({ path, code }: SourceFile): string[] {
  const scanner = new Bun.Transpiler({ loader: path.endsWith('x') ? 'tsx' : 'ts' })
  return scanner.scanImports(code).map(found => found.path)
}

/** Paths of the repository's own files that a file imports. */
export const importsOf = (file: SourceFile): string[] =>
  specifiersOf(file)
    .filter(specifier => specifier.startsWith('.'))
    .map(specifier => join(dirname(file.path), specifier))

/** Paths of the repository's own files that a file imports, with those of types alone. */
export const importsWithTypesOf = ({ path, code }: SourceFile): string[] =>
  [...withoutComments(code).matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'(\.[\w./-]+)'/g)].map(([, specifier]) =>
    join(dirname(path), specifier!),
  )

/** Packages that a file imports, by their names: `react` for `react/jsx-runtime`. */
export const packagesOf = (file: SourceFile): string[] =>
  specifiersOf(file)
    .filter(specifier => !specifier.startsWith('.'))
    .map(specifier => (specifier.startsWith('node:') ? specifier : /^(@[^/]+\/)?[^/]+/.exec(specifier)![0]))
