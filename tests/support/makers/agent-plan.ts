/** An agent's work in four rounds of parallel calls: reads three files, writes what they hold, and reports it. */
import type { Conversation, Json, OfferedTool, Reply, Round, ToolCall } from './conversation.ts'

/** How each tool of the clients reads or writes a file. */
const readers: [name: RegExp, args: (path: string, has: (name: string) => boolean) => Json][] = [
  [/^(?:Read|read|read_file)$/, (path, has) => ({ [pathField(has)]: path })],
  [/^(?:exec_command)$/, path => ({ cmd: `cat ${path}` })],
  [/^(?:shell_command|bash|Bash|run_shell_command)$/, path => ({ command: `cat ${path}` })],
]
const writers: [name: RegExp, args: (path: string, text: string, has: (name: string) => boolean) => Json][] = [
  [/^(?:Write|write|write_file)$/, (path, content, has) => ({ [pathField(has)]: path, content })],
  [/^(?:exec_command)$/, (path, text) => ({ cmd: shellWrite(path, text) })],
  [/^(?:shell_command|run_shell_command)$/, (path, text) => ({ command: shellWrite(path, text) })],
  [/^(?:bash|Bash)$/, (path, text) => ({ command: shellWrite(path, text), description: 'Write a file' })],
]

const shellWrite = (path: string, text: string) => `printf '%s\\n' '${text}' > ${path}`

const PATH_FIELDS = ['file_path', 'filePath', 'absolute_path', 'path']

const pathField = (has: (name: string) => boolean) => PATH_FIELDS.find(has) ?? 'path'

export const ROUNDS = 4

/** Files of the work with the word that each begins with. */
export const sources = { 'a.txt': 'alpha', 'b.txt': 'beta', 'c.txt': 'gamma' } as const

/** A client offers tools for files in the requests of its agent, and none in those beside it. */
export const isAgent = ({ tools }: Conversation): boolean => Boolean(findTool(tools, readers))

/** @throws Error when a result of the rounds so far does not hold what its file has */
export function nextReply(conversation: Conversation): Reply {
  const { rounds, tools, prompt } = conversation
  const folder = /\bfolder (\/\S+?)[.:\s]/.exec(prompt)?.[1] ?? '/nowhere'
  const at = (name: string) => `${folder}/${name}`
  const id = () => `call_${crypto.randomUUID().replaceAll('-', '').slice(0, 20)}`
  const read = (name: string): ToolCall => {
    const [tool, args] = findTool(tools, readers)!
    return { id: id(), name: tool.name, args: args(at(name), hasOf(tool)) }
  }
  const write = (name: string, text: string): ToolCall => {
    const [tool, args] = findTool(tools, writers)!
    return { id: id(), name: tool.name, args: args(at(name), text, hasOf(tool)) }
  }
  const [alpha, beta] = [wordIn(rounds[0], 0, 'alpha'), wordIn(rounds[0], 1, 'beta')]
  const gamma = wordIn(rounds[1], 1, 'gamma')
  const pair = wordIn(rounds[2], 0, 'alpha')
  wordIn(rounds[3], 1, 'beta')
  switch (rounds.length) {
    case 0:
      return { thinking: 'Two files come first.', text: 'I read two files.', calls: [read('a.txt'), read('b.txt')] }
    case 1:
      return { thinking: 'Both hold a word.', text: '', calls: [write('ab.txt', `${alpha} ${beta}`), read('c.txt')] }
    case 2:
      return { thinking: 'One more.', text: 'I check.', calls: [read('ab.txt'), write('c2.txt', gamma)] }
    case 3:
      return { thinking: 'The sum.', text: '', calls: [write('sum.txt', `${pair} ${gamma}`), read('b.txt')] }
    default:
      return { thinking: 'All is written.', text: `DONE ${alpha} ${beta} ${gamma}`, calls: [] }
  }
}

type Row<Args> = [name: RegExp, args: Args]

function findTool<Args>(tools: OfferedTool[], rows: Row<Args>[]): [OfferedTool, Args] | undefined {
  for (const [name, args] of rows) {
    const tool = tools.find(offered => name.test(offered.name))
    if (tool) return [tool, args]
  }
}

const hasOf = (tool: OfferedTool) => (name: string) => tool.properties.includes(name)

/** The word of a file in the result of a call; empty before its round. */
function wordIn(round: Round | undefined, index: number, word: string): string {
  if (!round) return ''
  const call = round.calls[index]
  const result = (call && round.results.get(call.id)) ?? ''
  const found = new RegExp(`${word}-\\w+`).exec(result)?.[0]
  if (!found) throw new Error(`the result of ${JSON.stringify(call)} has no ${word}: ${result.slice(0, 500)}`)
  return found
}
