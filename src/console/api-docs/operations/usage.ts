/** Operations of the usage log and the dashboard. */
import { z } from 'zod'
import { LogAnswer, LogStatAnswer, listingOf } from '../answers.ts'
import type { OperationGroup } from './notes.ts'

const LogPage = listingOf(LogAnswer).extend({
  capped: z.boolean().describe('More entries match than `total`.'),
})
const Rows = z.array(
  z.object({
    id: z.int(),
    user_id: z.int(),
    username: z.string(),
    model_name: z.string(),
    created_at: z.int(),
    token_used: z.int(),
    count: z.int(),
    quota: z.int(),
  }),
)

export const usage: OperationGroup = {
  noun: 'usage',
  title: 'Usage log and dashboard',
  operations: {
    'GET /api/log/self': { summary: 'Own entries of the usage log, newest first.', data: LogPage },
    'GET /api/log/self/stat': { summary: 'Totals of own entries.', data: LogStatAnswer },
    'GET /api/log/self/search': {
      summary: 'The newest 100 own entries of a type or with a beginning of the content.',
      data: z.array(LogAnswer),
    },
    'GET /api/log/token': {
      summary: 'Entries of one own API key.',
      data: z.array(LogAnswer),
      beside: { total: z.int(), capped: z.boolean() },
    },
    'GET /api/log/': { summary: 'Entries of all users, newest first.', data: LogPage },
    'GET /api/log/stat': { summary: 'Totals of all users.', data: LogStatAnswer },
    'GET /api/log/search': {
      summary: 'The newest 100 entries of a type or with a beginning of the content.',
      data: z.array(LogAnswer),
    },
    'DELETE /api/log/': { summary: 'Deletes entries before a moment; `data` is their number.', data: z.int() },
    'GET /api/data/self': { summary: 'Own usage by model and hour.', data: Rows },
    'GET /api/data/': { summary: 'Usage of all users, or of one, by model and hour.', data: Rows },
  },
}
