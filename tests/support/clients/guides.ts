/** The guides of the API page, each run by its own client as the page shows it. */
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { clientGuides } from '../../../views/api-docs/clients.ts'
import type { Maker } from '../makers/maker.ts'
import { type ClientCommand, newWorkFolder, startClient } from './client-run.ts'
import { type ClientPackage, packageFolder } from './packages.ts'

interface GuideRun {
  /** Maker of the models that its client is made for. */
  maker: Maker
  command(shown: ShownGuide): Promise<ClientCommand>
}

/** What a reader copies: a file with its path below the home folder, and a program or lines for the shell. */
interface ShownGuide {
  files: Record<string, string>
  code: string
}

const PROMPT = 'Say hello'
const root = join(import.meta.dir, '..', '..', '..')
const quiet = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_TELEMETRY: '1',
  GEMINI_CLI_TRUST_WORKSPACE: 'true',
}

/** The guide's lines in a shell; what `more` has comes behind the last, which starts the client. */
const shell = (code: string, more: string, bin = ''): ClientCommand => ({
  program: 'bash',
  args: ['-c', `${bin && `PATH="${bin}:$PATH"\n`}${code}${more}`],
  env: quiet,
})

const binOf = async (name: ClientPackage) => join(await packageFolder(name), 'node_modules', '.bin')

/** A program of JavaScript that finds the packages of a folder. */
async function script(code: string, folder: string): Promise<ClientCommand> {
  const own = newWorkFolder()
  symlinkSync(join(folder, 'node_modules'), join(own, 'node_modules'))
  const file = join(own, 'guide.mjs')
  await Bun.write(file, code)
  return { program: process.execPath, args: [file], env: {} }
}

export const guideRuns: Record<string, GuideRun> = {
  curl: { maker: 'openai', command: async ({ code }) => shell(code, '') },
  node: { maker: 'openai', command: ({ code }) => script(code, root) },
  'claude-code': {
    maker: 'anthropic',
    command: async ({ code }) => shell(code, ` -p '${PROMPT}'`, await binOf('@anthropic-ai/claude-code')),
  },
  codex: {
    maker: 'openai',
    async command({ code, files }) {
      const more = ` exec --skip-git-repo-check '${PROMPT}'`
      return { ...shell(code, more, await binOf('@openai/codex')), files }
    },
  },
  'gemini-cli': {
    maker: 'gemini',
    async command({ code, files }) {
      return { ...shell(code, ` -p '${PROMPT}'`, await binOf('@google/gemini-cli')), files }
    },
  },
  opencode: {
    maker: 'openai',
    async command({ code, files }) {
      return { ...shell(code, `opencode run '${PROMPT}'`, await binOf('opencode-ai')), files }
    },
  },
  'qwen-code': {
    maker: 'openai',
    async command({ code, files }) {
      // It needs a newer Node than the tests do; Bun runs it too.
      const program = join(await binOf('@qwen-code/qwen-code'), 'qwen')
      const start = code.replace(/\nqwen$/, `\n"${process.execPath}" --bun "${program}" -p '${PROMPT}'`)
      return { ...shell(start, ''), files }
    },
  },
  continue: {
    maker: 'openai',
    async command({ code, files }) {
      return { ...shell(code, `cn -p '${PROMPT}'`, await binOf('@continuedev/cli')), files }
    },
  },
  'ai-sdk': {
    maker: 'openai',
    command: async ({ code }) => script(code, await packageFolder('ai', '@ai-sdk/openai-compatible')),
  },
}

/** Guides in Python, whose packages pip brings: tests/long/python-clients.test.ts. */
export const pythonGuides = ['python', 'langchain', 'aider']

/** Guides of forms in clients without a command line. */
export const formGuides = clientGuides.filter(guide => guide.fields).map(({ id }) => id)

const guide = /<div class="docs-guide">[\s\S]*/
const block = /<span class="help[^>]*>([^<]*)<\/span>[\s\S]*?<pre[^>]*>([\s\S]*?)<\/pre>/g
const names: Record<string, string> = { lt: '<', gt: '>', quot: '"', amp: '&', '#x27': "'" }

/** A guide as the page shows it to the owner of a key. */
export function guideIn(html: string): ShownGuide {
  const shown: ShownGuide = { files: {}, code: '' }
  for (const [, title = '', text = ''] of (guide.exec(html)?.[0] ?? '').matchAll(block)) {
    const copied = text.replace(/&(lt|gt|quot|amp|#x27);/g, (_, name) => names[name]!)
    if (title.startsWith('~/')) shown.files[title.slice('~/'.length)] = copied
    else shown.code = copied
  }
  return shown
}

/** All that a reader copies. */
export const textOf = ({ files, code }: ShownGuide): string => [...Object.values(files), code].join('\n')

export async function runGuide(id: string, shown: ShownGuide) {
  const run = await startClient(await guideRuns[id]!.command(shown), newWorkFolder())
  return run.ended
}
