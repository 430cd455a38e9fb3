/** State of a module that changes while the program runs, and whether a named store resets it. */
import { type SourceFile, withoutComments } from './files.ts'

/** A `let`, an empty collection or an empty list at the top of a module. Maps and sets with contents are tables. */
const declaration =
  /^(?:export )?(?:let (\w+)|const (\w+)(?:(?:: (?!readonly|Readonly)[^=\n]+)? = (?:new (?:Map|Set|LiveItems)(?:<.*>)?\(\)|\[\])|: Record<[^=\n]+ = \{\}))/gm

/** Names of the state that neither `store` nor `onReset` knows; what an `onReset` calls in its file counts as its own. */
export function unnamedState({ code }: SourceFile): string[] {
  const plain = withoutComments(code)
  const names = [...plain.matchAll(declaration)].map(([, changed, filled]) => (changed ?? filled)!)
  if (!names.length) return []
  const resets = reachOf(plain, statementsAt(plain, /^onReset\(/))
  return names.filter(name => !new RegExp(`\\b${name}\\b`).test(resets))
}

/** The code of these statements and of the functions of the file that they name, directly or through each other. */
function reachOf(code: string, first: string): string {
  const functions = new Map(
    statementsOf(code).flatMap(text => {
      const name = /^(?:export )?(?:(?:async )?function\*? (\w+)|const (\w+) = .*=>)/.exec(text)
      return name ? [[(name[1] ?? name[2])!, text] as const] : []
    }),
  )
  let reach = first
  for (const [name, text] of functions) {
    if (!new RegExp(`\\b${name}\\b`).test(reach)) continue
    functions.delete(name)
    reach = reachOf([...functions.values()].join('\n'), `${reach}\n${text}`)
  }
  return reach
}

const statementsAt = (code: string, beginning: RegExp) =>
  statementsOf(code)
    .filter(text => beginning.test(text))
    .join('\n')

/** The statements at the top of a module: each begins in the first column and ends before the next that does. */
const statementsOf = (code: string) => code.split(/\n(?=[^\s})\]])/)
