/** Bounds of the fields of channels, tokens, codes, messages and money. */
import { expect, test } from 'bun:test'
import { CallRefund } from '../../src/contracts/call-refund.ts'
import { NewChannel } from '../../src/contracts/channel.ts'
import { ChannelIds, TagName } from '../../src/contracts/channel-batch.ts'
import { NewFilter } from '../../src/contracts/log.ts'
import { NewMessage } from '../../src/contracts/message.ts'
import { pageOf } from '../../src/contracts/paging.ts'
import { StrayCredit } from '../../src/contracts/payment.ts'
import { CodeIds, NewCodes } from '../../src/contracts/redemption.ts'
import { RoutePreviewQuery } from '../../src/contracts/route-preview.ts'
import { NewToken } from '../../src/contracts/token.ts'
import { AdminTopUp } from '../../src/contracts/top-up.ts'
import { type Bodies, boundsOf, expectBounds, letters, SAFE, wide } from '../support/app/bounds.ts'

const ids = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
/** The last second that dates can show. */
const LAST = 253_402_300_799
const channelTexts = (field: string, max: number): Bodies[string]['rows'][number] => [
  field,
  ['', letters(max)],
  { 'channel.text_too_long': [letters(max + 1)] },
]

const json = (length: number) => `{"a":"${letters(length - '{"a":""}'.length)}"}`

const bodies: Bodies = {
  'a new channel': {
    schema: NewChannel,
    valid: { name: 'c', models: 'm' },
    rows: [
      ['name', ['a', letters(100)], { 'channel.name_required': ['', ' '], 'channel.text_too_long': [letters(101)] }],
      ['type', [1, '1', 999], { 'channel.type_unknown': [0, 1000, 'x', 1.5] }],
      ['key', [letters(500_000)], { 'channel.keys_too_long': [letters(500_001)] }],
      ['status', [1, 2, 3], { 'channel.status_unknown': [0, 4] }],
      [
        'base_url',
        ['', `https://a.example/${letters(237)}`],
        {
          'channel.text_too_long': [`https://a.example/${letters(238)}`],
          'channel.base_url_invalid': ['ftp://a.example', 'a.example'],
        },
      ],
      channelTexts('other', 100_000),
      channelTexts('openai_organization', 255),
      ['openai_organization', ['~ '], { 'channel.organization_characters': ['é', 'a\nb'] }],
      [
        'models',
        ['a,b', letters(255)],
        { 'channel.models_required': ['', ' , '], 'channel.model_too_long': [letters(256), `a,${letters(256)}`] },
      ],
      ['group', ['', letters(100)], { 'channel.group_too_long': [letters(101), `a,${letters(101)}`] }],
      [
        'model_mapping',
        ['', '{}', '{"a":"b"}'],
        {
          'mapping.model_mapping_json': ['[]', '{"a":1}', 'x'],
          'mapping.circle': ['{"a":"b","b":"a"}'],
          'channel.text_too_long': [json(100_001)],
        },
      ],
      [
        'status_code_mapping',
        ['', '{"400":"599"}', '{"100":"400"}', '{"599":"500"}'],
        {
          'mapping.status_code_mapping_json': [
            '{"99":"500"}',
            '{"600":"500"}',
            '{"500":"399"}',
            '{"500":"600"}',
            '{"x":"500"}',
          ],
        },
      ],
      channelTexts('model_prefix', 64),
      [
        'param_override',
        ['', json(100_000)],
        { 'channel.param_override_json': ['[]'], 'channel.text_too_long': [json(100_001)] },
      ],
      ['setting', ['', '{}'], { 'channel.setting_json': ['[]', 'x'] }],
      channelTexts('system_prompt', 100_000),
      channelTexts('test_model', 255),
      channelTexts('tag', 100),
      ['priority', [-999, 1_000_000, '-999'], { 'channel.priority_range': [-1000, 1_000_001, '1.5'] }],
      ['weight', [0, 1_000_000], { 'channel.weight_range': [-1, 1_000_001] }],
      ['auto_ban', [0, 1], { 'channel.auto_ban_range': [-1, 2] }],
      ['max_input_tokens', [0, SAFE], { 'channel.max_input_tokens_range': [-1, SAFE + 1] }],
    ],
  },
  'channels of a batch': {
    schema: ChannelIds,
    valid: { ids: [1] },
    rows: [['ids', [ids(1), ids(10_000)], { 'channel.select_first': [[]], 'channel.ids_too_many': [ids(10_001)] }]],
  },
  'the name of a tag': {
    schema: TagName,
    valid: { tag: 't' },
    rows: [['tag', [letters(100)], { 'channel.tag_required': ['', ' '], 'channel.text_too_long': [letters(101)] }]],
  },
  'a new token': {
    schema: NewToken,
    valid: { name: 't' },
    rows: [
      ['name', ['a', wide(30)], { 'token.name_required': ['', ' '], 'token.name_too_long': [wide(31)] }],
      ['remain_quota', [0, SAFE], { 'token.quota_negative': [-1], 'token.quota_invalid': [1.5, SAFE + 1] }],
      ['expired_time', [-1, 0, LAST], { 'token.expiry_invalid': [-2, LAST + 1] }],
      ['rate_limit_period', [0, 2_592_000], { 'token.limit_negative': [-1], 'token.period_too_long': [2_592_001] }],
      ['rate_limit_count', [0, 100_000], { 'token.limit_negative': [-1], 'token.limit_too_large': [100_001] }],
      ['rate_limit_success', [0, 100_000], { 'token.limit_negative': [-1], 'token.limit_too_large': [100_001] }],
      ['concurrency_limit', [0, 1e5], { 'token.limit_negative': [-1], 'token.limit_too_large': [1e5 + 1] }],
      ['tokens_per_minute', [0, 1e9], { 'token.limit_negative': [-1], 'token.tokens_too_many': [1e9 + 1] }],
      ['count', [1, 100], { 'token.count_invalid': [0], 'token.too_many': [101] }],
    ],
  },
  'new codes': {
    schema: NewCodes,
    valid: {},
    rows: [
      ['name', ['', wide(20)], { 'redemption.name_length': [wide(21)] }],
      ['quota', [1, SAFE], { 'redemption.quota_invalid': [0, -1, 1.5, SAFE + 1] }],
      ['max_uses', [-1, 1, '', null], { 'redemption.max_uses_invalid': [-2, 0] }],
      ['valid_from', [0, LAST], { 'redemption.period_invalid': [-1, LAST + 1] }],
      ['valid_until', [0, LAST], { 'redemption.period_invalid': [-1, LAST + 1] }],
      ['count', [1, 100], { 'redemption.count_invalid': [0], 'redemption.too_many': [101] }],
      ['key', ['', wide(32)], { 'redemption.key_invalid': [wide(33), 'a b'] }],
    ],
  },
  'codes of a selection': {
    schema: CodeIds,
    valid: { ids: [1] },
    rows: [
      ['ids', [ids(1), ids(1000)], { 'redemption.select_first': [[]], 'redemption.too_many_selected': [ids(1001)] }],
    ],
  },
  'a new message': {
    schema: NewMessage,
    valid: { title: 't', content: 'c', all: true },
    rows: [
      ['title', ['a', wide(200)], { 'message.title_required': ['', ' '], 'message.title_too_long': [wide(201)] }],
      [
        'content',
        ['a', wide(16_384)],
        { 'message.content_required': ['', ' '], 'message.content_too_long': [`${wide(16_384)}a`] },
      ],
      ['format', ['markdown', 'html'], { 'message.format_invalid': ['text', ''] }],
      ['user_ids', [[], ids(10_000)], { 'message.too_many_recipients': [ids(10_001)] }],
    ],
  },
  'a top-up by an administrator': {
    schema: AdminTopUp,
    valid: { user_id: 1, quota: 1 },
    rows: [
      ['quota', [1, -1, SAFE, -SAFE], { 'user.quota_zero': [0], 'user.quota_invalid': [0.5, SAFE + 1] }],
      ['remark', ['', letters(200)], { 'user.remark_too_long': [letters(201)], 'user.remark_characters': ['a\nb'] }],
    ],
  },
  'the refund of a call': {
    schema: CallRefund,
    valid: { quota: 1 },
    rows: [['quota', [1, SAFE], { 'log.refund_none': [0, -1], 'user.quota_invalid': [0.5] }]],
  },
  'the credit of a stray payment': {
    schema: StrayCredit,
    valid: { user: 'ann', quota: 1, remark: 'r' },
    rows: [
      ['user', ['a'], { 'payment.user_required': ['', ' '] }],
      ['quota', [1, SAFE], { 'payment.quota_invalid': [0, -1, 0.5] }],
      ['remark', ['a', wide(200)], { 'payment.remark_required': ['', ' '], 'payment.remark_too_long': [wide(201)] }],
    ],
  },
  'the name of a filter': {
    schema: NewFilter,
    valid: { name: 'a' },
    rows: [['name', [wide(40)], { 'log.filter_name_required': ['', ' ', 'a\0'], 'log.filter_name_long': [wide(41)] }]],
  },
  'the query of the route finder': {
    schema: RoutePreviewQuery,
    valid: { model: 'm' },
    rows: [
      ['model', ['m', letters(255)], { 'route.model_required': ['', ' ', letters(256)] }],
      ['input_tokens', ['', '0', '9'.repeat(9)], { 'route.input_tokens_number': ['1'.repeat(10), '-1', '1.5'] }],
      ['key', ['', '1', '9'.repeat(15)], { 'route.key_number': ['1'.repeat(16), '-1', 'a'] }],
    ],
  },
}

test.each(boundsOf(bodies))('$name takes $field up to its bounds and refuses the next value', expectBounds)

test.each([
  [{}, 1, { page: 1, size: 10, offset: 0 }],
  [{ p: '3', page_size: '100' }, 1, { page: 3, size: 100, offset: 200 }],
  [{ p: '3', page_size: '101' }, 0, { page: 4, size: 100, offset: 300 }],
  [{ p: '0', size: '7' }, 1, { page: 1, size: 7, offset: 0 }],
  [{ p: '0', page_size: '0' }, 0, { page: 1, size: 10, offset: 0 }],
  [{ p: '-1', page_size: '-1' }, 1, { page: 1, size: 10, offset: 0 }],
  [{ p: 'x', page_size: '5', size: '7' }, 1, { page: 1, size: 5, offset: 0 }],
] as const)('a page of the query %j, counted from %d, is %j', (query, base, page) => {
  expect(pageOf(query, base)).toEqual(page)
})
