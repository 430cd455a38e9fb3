/** Operations of the usage log and the dashboard. */
import { z } from 'zod'
import { AffinityFigures } from '../../../contracts/affinity.ts'
import { LogEntry, LogStat } from '../../../contracts/log.ts'
import { listingOf } from '../../../contracts/paging.ts'
import { DrawingEntry, TaskEntry } from '../../../contracts/task-list.ts'
import type { OperationGroup } from './notes.ts'

const LogPage = listingOf(LogEntry).extend({
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

/** Counting stopped at `total` where `capped` is true. */
const counted = { total: z.int(), capped: z.boolean() }

export const usage: OperationGroup = {
  noun: 'usage',
  title: 'Usage log, tasks and dashboard',
  operations: {
    'GET /api/log/self': { summary: 'operation.log_self', data: LogPage },
    'GET /api/log/self/stat': { summary: 'operation.log_self_totals', data: LogStat },
    'GET /api/log/self/search': {
      summary: 'operation.log_self_search',
      data: z.array(LogEntry),
    },
    'GET /api/log/token': {
      summary: 'operation.log_of_key',
      data: z.array(LogEntry),
      beside: counted,
    },
    'GET /api/log/': { summary: 'operation.log', data: LogPage },
    'GET /api/log/stat': { summary: 'operation.log_totals', data: LogStat },
    'GET /api/log/search': {
      summary: 'operation.log_search',
      data: z.array(LogEntry),
    },
    'DELETE /api/log/': { summary: 'operation.log_clear', data: z.int() },
    'GET /api/mj/self': { summary: 'operation.drawings_self', data: z.array(DrawingEntry), beside: counted },
    'GET /api/mj/': { summary: 'operation.drawings', data: z.array(DrawingEntry), beside: counted },
    'GET /api/task/self': { summary: 'operation.tasks_self', data: z.array(TaskEntry), beside: counted },
    'GET /api/task/': { summary: 'operation.tasks', data: z.array(TaskEntry), beside: counted },
    'GET /api/data/self': { summary: 'operation.usage_self', data: Rows },
    'GET /api/data/affinity': { summary: 'operation.usage_affinity', data: AffinityFigures },
    'GET /api/data/': { summary: 'operation.usage', data: Rows },
  },
}
