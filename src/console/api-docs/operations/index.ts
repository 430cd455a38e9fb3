/** Every operation of the API document, by noun, in the order of the page. */
import { account } from './account.ts'
import { codes, operation, people } from './administration.ts'
import { budgets } from './budgets.ts'
import { catalogue } from './catalogue.ts'
import { channels } from './channels.ts'
import { messages } from './messages.ts'
import type { OperationGroup } from './notes.ts'
import { models } from './relay.ts'
import { security } from './security.ts'
import { tokens } from './tokens.ts'
import { usage } from './usage.ts'
import { wallet } from './wallet.ts'

export const operationGroups: readonly OperationGroup[] = [
  models,
  tokens,
  budgets,
  usage,
  wallet,
  catalogue,
  account,
  security,
  messages,
  channels,
  people,
  codes,
  operation,
]
