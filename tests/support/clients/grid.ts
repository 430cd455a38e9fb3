/** The grid of real clients and routes: which the tests run, and docs/clients.md prints. */

import type { ReturnedThought } from '../makers/conversation.ts'
import type { Maker } from '../makers/maker.ts'
import { claudeCode } from './claude-code.ts'
import type { RealClient } from './client-run.ts'
import { codex } from './codex.ts'
import { geminiCli } from './gemini-cli.ts'
import { opencodes } from './opencode.ts'

export interface Route {
  client: RealClient
  maker: Maker
  /** How thoughts come back to the maker before the calls of each round. */
  thoughts: ReturnedThought
}

const [compatible, openAi, anthropic, google] = opencodes as [RealClient, RealClient, RealClient, RealClient]

/** Chat Completions have no thoughts to give back. */
const none = 'missing'

export const routes: Route[] = [
  { client: claudeCode, maker: 'anthropic', thoughts: 'signed' },
  { client: claudeCode, maker: 'openai', thoughts: none },
  { client: claudeCode, maker: 'gemini', thoughts: 'signed' },
  { client: codex, maker: 'openai', thoughts: 'signed' },
  { client: codex, maker: 'anthropic', thoughts: 'signed' },
  { client: codex, maker: 'gemini', thoughts: 'signed' },
  { client: geminiCli, maker: 'gemini', thoughts: 'signed' },
  { client: geminiCli, maker: 'openai', thoughts: none },
  // Its history keeps no thoughts, only the signatures of calls.
  { client: geminiCli, maker: 'anthropic', thoughts: none },
  { client: compatible, maker: 'openai', thoughts: none },
  { client: compatible, maker: 'anthropic', thoughts: none },
  { client: compatible, maker: 'gemini', thoughts: 'skipped' },
  { client: openAi, maker: 'openai', thoughts: 'signed' },
  { client: openAi, maker: 'anthropic', thoughts: 'signed' },
  { client: openAi, maker: 'gemini', thoughts: 'signed' },
  { client: anthropic, maker: 'openai', thoughts: none },
  { client: anthropic, maker: 'anthropic', thoughts: 'signed' },
  { client: anthropic, maker: 'gemini', thoughts: 'signed' },
  { client: google, maker: 'openai', thoughts: none },
  // Its history keeps the signatures of Gemini's models only.
  { client: google, maker: 'anthropic', thoughts: none },
  { client: google, maker: 'gemini', thoughts: 'signed' },
]

export const routeOf = (id: string, maker: Maker): Route =>
  routes.find(route => route.client.id === id && route.maker === maker)!
