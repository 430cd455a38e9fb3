/** Operations of channels. */
import { z } from 'zod'
import { ChannelChange, KeyChange, ModelNames, NewChannel, UnsavedChannel } from '../../../contracts/channel.ts'
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
const beside = { total: z.int() }

export const channels: OperationGroup = {
  noun: 'channels',
  title: 'Channels (administrators)',
  operations: {
    'GET /api/channel/': {
      summary: 'Channels, without their keys.',
      description: '`p` counts from 0.',
      data: z.array(Channel),
      beside,
    },
    'GET /api/channel/search': { summary: 'Channels by text, group and model.', data: z.array(Channel), beside },
    'GET /api/channel/:id': { summary: 'One channel; its keys are masked.', data: Channel },
    'POST /api/channel/': {
      summary: 'Creates a channel.',
      description: 'Several keys stand on lines of their own.',
      body: NewChannel,
      required: ['name', 'key', 'models'],
      example: { name: 'main', type: 1, key: 'sk-…', models: 'gpt-4o,gpt-4o-mini', group: 'default' },
    },
    'PUT /api/channel/': {
      summary: 'Changes a channel.',
      description: 'Absent fields stay unchanged.',
      body: ChannelChange,
      example: { id: 1, priority: 10 },
    },
    'DELETE /api/channel/:id': { summary: 'Deletes a channel.' },
    'PUT /api/channel/:id/keys/:key': {
      summary: 'Enables or disables one key of a channel.',
      body: KeyChange,
      example: { status: 2 },
    },
    'GET /api/channel/models': { summary: 'Models that the gateway knows.' },
    'GET /api/channel/models_enabled': { summary: 'Models of enabled channels.', data: z.array(z.string()) },
    'GET /api/channel/test/:id': {
      has_effect: true,
      summary: 'Tests a channel with a small call.',
      beside: { time: z.number().describe('Seconds.') },
    },
    'GET /api/channel/test': { has_effect: true, summary: 'Tests all channels in the background.' },
    'GET /api/channel/fetch_models/:id': { summary: 'Models that the provider of a channel lists.' },
    'POST /api/channel/fetch_models': {
      summary: 'Models that a provider lists, before a channel is saved.',
      body: UnsavedChannel,
      example: { type: 1, key: 'sk-…' },
    },
    'POST /api/channel/unpriced': {
      summary: 'Those of the models that have no price.',
      body: ModelNames,
      example: { models: 'gpt-4o,own-model' },
      data: z.array(z.string()),
    },
    'GET /api/channel/routes': {
      summary: 'Which channels would be tried for a group and a model, in which order, and why the others not.',
    },
    ...channelBatches,
    'GET /api/channel/update_balance/:id': {
      has_effect: true,
      summary: 'Asks a provider for the balance of a channel.',
      beside: { balance: z.number() },
    },
    'GET /api/channel/update_balance': { has_effect: true, summary: 'Asks for the balances of all channels.' },
  },
}
