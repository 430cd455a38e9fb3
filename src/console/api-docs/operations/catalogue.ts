/** Operations of the public site: status, texts, prices, groups and models. */
import { z } from 'zod'
import { GroupsAnswer } from '../answers.ts'
import type { OperationGroup } from './notes.ts'

const Priced = z.looseObject({
  model_name: z.string(),
  quota_type: z.int().describe('0 by tokens, 1 by call.'),
  model_ratio: z.number(),
  model_price: z.number().describe('USD per call.'),
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
    'GET /api/status': { summary: 'What visitors may know of the site.', data: Status },
    'GET /api/status/test': { summary: 'Whether the database answers; 503 when not.', data: z.null() },
    'GET /api/notice': { summary: 'Notice of the operator.', data: z.string() },
    'GET /api/about': { summary: 'Text of the about page.', data: z.string() },
    'GET /api/home_page_content': { summary: 'Text of the home page.', data: z.string() },
    'GET /api/pricing': {
      summary: 'Prices of models for the caller’s group.',
      data: z.array(Priced),
      beside: { group_ratio: z.record(z.string(), z.number()) },
    },
    'GET /api/ratio_config': { summary: 'Price tables, where the operator shares them with other gateways.' },
    'GET /api/user/groups': { summary: 'Groups that visitors see.', data: GroupsAnswer },
    'GET /api/user/self/groups': { summary: 'Groups that the signed-in user may choose.', data: GroupsAnswer },
    'GET /api/group/': { summary: 'Names of all groups.', data: z.array(z.string()) },
    'GET /api/models': {
      summary: 'Models by type of channel.',
      data: z.record(z.string(), z.array(z.string())),
    },
    'GET /api/suggestions/models': { summary: 'Models of which the name has the text `q`, at most ten.' },
    'GET /api/suggestions/tokens': { summary: 'Own API keys of which the name has the text `q`, at most ten.' },
    'GET /api/suggestions/channels': { summary: 'Channels of which the name has the text `q`, at most ten.' },
    'GET /api/suggestions/users': { summary: 'Users of which the name has the text `q`, at most ten.' },
    'GET /api/playground/models': { summary: 'Models of a group with their prices, for the playground.' },
    'GET /api/playground/receipt/:request_id': { summary: 'The receipt of an own call in the playground.' },
    'GET /api/user/models': { summary: 'Models that the signed-in user can call.', data: z.array(z.string()) },
  },
}
