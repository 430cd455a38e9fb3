/** Operations of channels. */
import { z } from 'zod'
import { ChannelChange, KeyChange, ModelNames, NewChannel, UnsavedChannel } from '../../../contracts/channel.ts'
import { CHANNEL_EVENTS, EVENT_CAUSES, FAILURE_KINDS, HISTORY_DAYS } from '../../../contracts/channel-history.ts'
import { channelBatches } from './channel-batches.ts'
import type { OperationGroup } from './notes.ts'

const Channel = z.looseObject({
  id: z.int(),
  type: z.int(),
  name: z.string(),
  status: z.int().describe('1 enabled, 2 disabled, 3 disabled automatically.'),
  models: z.string(),
  group: z.string(),
  priority: z.int(),
  weight: z.int(),
})
const HistoryParameters = z.object({
  days: z.int().min(1).max(HISTORY_DAYS).optional().describe('90 unless given.'),
  model: z.string().optional().describe('All models unless given.'),
})
const Figures = z.object({
  succeeded: z.int(),
  failed: z.int().describe('The sum of the kinds without `bad_request`.'),
  failures: z.record(z.enum(FAILURE_KINDS), z.int()).describe('`bad_request` is the fault of the request.'),
  first_token: z
    .object({ calls: z.int(), p50_ms: z.int().nullable(), p95_ms: z.int().nullable() })
    .describe('Of streamed calls.'),
})
const History = z.object({
  from: z.int().describe('Unix seconds.'),
  until: z.int(),
  total: Figures,
  hours: z.array(Figures.extend({ hour: z.int().describe('Unix seconds of its start.') })),
  models: z.array(Figures.extend({ model: z.string() })).describe('Those with the most attempts first.'),
  events: z.array(
    z.object({
      event: z.enum(CHANNEL_EVENTS),
      model: z.string().describe('The name at the provider, of a model that alone was cooling down.'),
      cause: z.enum(EVENT_CAUSES),
      times: z.int(),
      seconds: z.number().describe('Length of the cooldowns.'),
      last_at: z.int().describe('Unix seconds.'),
      reason: z.string().describe('Of the last one.'),
    }),
  ),
})
const beside = { total: z.int() }

export const channels: OperationGroup = {
  noun: 'channels',
  title: 'Channels (administrators)',
  operations: {
    'GET /api/channel/': {
      summary: 'operation.channels',
      description: '`p` counts from 0.',
      data: z.array(Channel),
      beside,
    },
    'GET /api/channel/search': { summary: 'operation.channels_search', data: z.array(Channel), beside },
    'GET /api/channel/:id': { summary: 'operation.channel', data: Channel },
    'GET /api/channel/:id/history': {
      summary: 'operation.channel_history',
      description:
        'Whole hours of UTC, those with attempts. Models past the first 100 of an hour have the name `""`. Times to first token are counted in buckets: percentiles are interpolated.',
      query: HistoryParameters,
      data: History,
    },
    'POST /api/channel/': {
      summary: 'operation.channel_create',
      description: 'Several keys stand on lines of their own.',
      body: NewChannel,
      required: ['name', 'key', 'models'],
      example: { name: 'main', type: 1, key: 'sk-…', models: 'gpt-4o,gpt-4o-mini', group: 'default' },
    },
    'PUT /api/channel/': {
      summary: 'operation.channel_edit',
      description: 'Absent fields stay unchanged.',
      body: ChannelChange,
      example: { id: 1, priority: 10 },
    },
    'DELETE /api/channel/:id': { summary: 'operation.channel_delete' },
    'PUT /api/channel/:id/keys/:key': {
      summary: 'operation.channel_key',
      body: KeyChange,
      example: { status: 2 },
    },
    'GET /api/channel/models': { summary: 'operation.models_known' },
    'GET /api/channel/models_enabled': { summary: 'operation.models_enabled', data: z.array(z.string()) },
    'GET /api/channel/test/:id': {
      has_effect: true,
      summary: 'operation.channel_test',
      beside: {
        success: z.boolean().describe('Whether the upstream has answered as it should.'),
        time: z.number().describe('Seconds.'),
      },
    },
    'GET /api/channel/test': { has_effect: true, summary: 'operation.channels_test_all' },
    'GET /api/channel/fetch_models/:id': { summary: 'operation.channel_models' },
    'POST /api/channel/fetch_models': {
      summary: 'operation.upstream_models',
      body: UnsavedChannel,
      example: { type: 1, key: 'sk-…' },
    },
    'POST /api/channel/unpriced': {
      summary: 'operation.models_unpriced',
      body: ModelNames,
      example: { models: 'gpt-4o,own-model' },
      data: z.array(z.string()),
    },
    'GET /api/channel/routes': {
      summary: 'operation.routes',
    },
    ...channelBatches,
    'GET /api/channel/update_balance/:id': {
      has_effect: true,
      summary: 'operation.channel_balance',
      beside: { balance: z.number() },
    },
    'GET /api/channel/update_balance': { has_effect: true, summary: 'operation.channels_balance' },
  },
}
