/** Operations of the public site: status, texts, prices, groups and models. */
import { z } from 'zod'
import { GroupOffer } from '../../../contracts/pricing.ts'
import type { OperationGroup } from './notes.ts'

const Groups = z.record(z.string(), GroupOffer)
const Priced = z.looseObject({
  model_name: z.string(),
  quota_type: z.int().describe('0 by tokens, 1 by call or task.'),
  model_ratio: z.number(),
  model_price: z.number().describe('USD per call, or per unit of a task.'),
  task_price: z
    .looseObject({ unit: z.string(), price: z.number() })
    .optional()
    .describe('Of a model whose calls are tasks.'),
  completion_ratio: z.number(),
  enable_groups: z.array(z.string()),
})
const Status = z.looseObject({
  version: z.string(),
  system_name: z.string(),
  server_address: z.string(),
  quota_per_unit: z.number(),
  setup: z.boolean(),
})

export const catalogue: OperationGroup = {
  noun: 'site',
  title: 'Site, prices and models',
  operations: {
    'GET /api/status': { summary: 'operation.status', data: Status },
    'GET /api/status/test': { summary: 'operation.database_state', data: z.null() },
    'GET /api/notice': { summary: 'operation.notice', data: z.string() },
    'GET /api/about': { summary: 'operation.about', data: z.string() },
    'GET /api/home_page_content': { summary: 'operation.home', data: z.string() },
    'GET /api/pricing': {
      summary: 'operation.pricing',
      data: z.array(Priced),
      beside: { group_ratio: z.record(z.string(), z.number()) },
    },
    'GET /api/ratio_config': { summary: 'operation.ratio_config' },
    'GET /api/user/groups': { summary: 'operation.groups_public', data: Groups },
    'GET /api/user/self/groups': { summary: 'operation.groups_usable', data: Groups },
    'GET /api/group/': { summary: 'operation.groups', data: z.array(z.string()) },
    'GET /api/models': {
      summary: 'operation.models_by_type',
      data: z.record(z.string(), z.array(z.string())),
    },
    'GET /api/suggestions/models': { summary: 'operation.suggest_models' },
    'GET /api/suggestions/tokens': { summary: 'operation.suggest_keys' },
    'GET /api/suggestions/channels': { summary: 'operation.suggest_channels' },
    'GET /api/suggestions/users': { summary: 'operation.suggest_users' },
    'GET /api/playground/models': { summary: 'operation.playground_models' },
    'GET /api/playground/receipt/:request_id': { summary: 'operation.playground_receipt' },
    'GET /api/user/models': { summary: 'operation.models_usable', data: z.array(z.string()) },
  },
}
