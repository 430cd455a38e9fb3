/** `tollgate import`: second factors, codes, messages, options, prices and types of channels. */
import { expect, test } from 'bun:test'
import { Secret, TOTP } from 'otpauth'
import { digest } from '../../src/crypto/sealing.ts'
import { type Installation, setUpInstallation, signInAt, startAt } from '../support/app/installation.ts'
import { run } from '../support/app/server.ts'
import { ANN, bcrypt, channel, fileOf, OLD_ROOT, peopled } from '../support/moving-in/house.ts'
import { moved, rowsOf } from '../support/moving-in/moved.ts'

const secret = 'JBSWY3DPEHPK3PXP'

test('a second factor of new-api is asked for, and its recovery codes are good once', async () => {
  const place = await setUpInstallation()
  const rows = {
    ...peopled('new-api'),
    two_fas: [
      { id: 1, user_id: 2, secret, is_enabled: true },
      { id: 2, user_id: 5, secret: 'no secret!', is_enabled: true },
    ],
    two_fa_backup_codes: ['ABCD1234', 'WXYZ9876'].map((code, at) => ({
      ...{ id: at + 1, user_id: 2, code_hash: bcrypt(code), is_used: at === 1 },
    })),
    checkins: [{ id: 1, user_id: 2, checkin_date: '2025-06-01', quota_awarded: 10, created_at: 1 }],
  }
  const report = await moved(place, fileOf('new-api', rows))
  expect(report.totals['moving.authenticator_broken']).toBe(1)
  expect(await place.read('select secret from authenticators')).toMatchObject([
    { secret: expect.stringMatching(/^v1:/) },
  ])
  expect(await rowsOf(place, 'select user_id, day, quota from check_ins')).toEqual([
    { user_id: 2, day: '2025-06-01', quota: 0 },
  ])
  const server = await startAt(place)
  const post = async (path: string, fields: object, cookie = '') => {
    const sent = { method: 'POST', headers: { cookie }, body: JSON.stringify(fields) }
    const answer = await fetch(`${server.url}/api/user/${path}`, sent)
    const { data, code } = (await answer.json()) as { code?: string; data: { id?: number; ticket?: string } | null }
    return { data, why: code, cookie: answer.headers.get('set-cookie')?.split(';')[0] }
  }
  /** The id of the user, after both steps. */
  const signIn = async (code: string) => {
    const { data, why, cookie } = await post('login', ANN)
    expect(why).toBe('security.second_factor_required')
    return (await post('login/second-factor', { ticket: data?.ticket, code }, cookie)).data?.id
  }
  expect(await signIn('WXYZ-9876')).toBeUndefined()
  expect(await signIn('abcd-1234')).toBe(2)
  expect(await signIn('abcd-1234')).toBeUndefined()
  expect(await signIn(new TOTP({ secret: Secret.fromBase32(secret) }).generate())).toBe(2)
})

test('codes are redeemed once by each user, also one who has redeemed there, and messages keep who has read them', async () => {
  const place = await setUpInstallation()
  const code = (id: number, more: object) => ({
    ...{ id, user_id: 1, key: `code-${id}`, status: 1, name: `code ${id}`, quota: 500, created_time: 5 },
    ...{ is_gift: false, max_uses: 1, used_count: 0, valid_from: 0, valid_until: 0, ...more },
  })
  const rows = {
    ...peopled('veloera'),
    redemptions: [
      ...[code(1, {}), code(2, { is_gift: true, max_uses: -1, used_count: 1 }), code(3, { status: 3 })],
      ...[code(4, { quota: -1 }), code(5, { key: 'code-1   ' })],
    ],
    redemption_logs: [{ id: 1, redemption_id: 2, user_id: 2, used_time: 6 }],
    messages: [
      {
        id: 4,
        title: 'Hello',
        content: '**all**',
        format: 'markdown',
        created_at: '2025-06-01 02:03:04',
        created_by: 1,
      },
    ],
    user_messages: [
      { id: 1, user_id: 2, message_id: 4, read_at: '2025-06-02 00:00:00.123', created_at: '2025-06-01 02:03:04' },
      { id: 2, user_id: 3, message_id: 4, read_at: null, created_at: '2025-06-01 02:03:04' },
    ],
  }
  const report = await moved(place, fileOf('veloera', rows))
  expect(report.counts).toMatchObject({ code: { found: 5, carried: 3 }, message: { carried: 1 } })
  expect(report.totals).toMatchObject({ 'moving.code_unusable': 1, 'moving.code_taken': 1 })
  expect(await rowsOf(place, 'select user_id, read_time, created_time from message_recipients order by 1')).toEqual([
    { user_id: 2, read_time: 1_748_822_400, created_time: 1_748_743_384 },
    { user_id: 3, read_time: null, created_time: 1_748_743_384 },
  ])
  const server = await startAt(place)
  const redeem = async (headers: Record<string, string>, id: number) => {
    const body = JSON.stringify({ key: `code-${id}` })
    const answer = await fetch(`${server.url}/api/user/topup`, { method: 'POST', headers, body })
    return ((await answer.json()) as { success: boolean }).success
  }
  const ann = (await signInAt(server, ANN)).headers
  const oldRoot = (await signInAt(server, { ...OLD_ROOT, username: 'root-2' })).headers
  expect([await redeem(ann, 1), await redeem(ann, 1), await redeem(ann, 3)]).toEqual([true, false, false])
  expect([await redeem(ann, 2), await redeem(oldRoot, 2)]).toEqual([false, true])
  await server.stop()
  expect((await run(['audit'], place)).out).toContain('audit: clean (')
})

const price = (table: string, models: object) => ({ key: table, value: JSON.stringify(models) })

test('options are carried once where none was chosen here; prices are theirs or ours', async () => {
  const rows = {
    ...peopled('veloera'),
    options: [
      ...[
        { key: 'SystemName', value: 'Old Gate' },
        { key: 'SMTPToken', value: 'mail-secret' },
      ],
      ...[
        { key: 'PasswordLoginEnabled', value: 'false' },
        { key: 'RetryTimes', value: 'many' },
      ],
      ...[price('ModelRatio', { 'gpt-4o': 77, 'own-model': 3 }), price('CompletionRatio', { 'gpt-4o': 9 })],
    ],
  }
  const file = fileOf('veloera', rows)
  const optionsOf = async (place: Installation) =>
    Object.fromEntries(
      ((await place.read('select key, value from options')) as { key: string; value: string }[]).map(row => [
        row.key,
        row.value,
      ]),
    )
  const theirs = await setUpInstallation()
  const { out: _, ...report } = await moved(theirs, file)
  const carried = await optionsOf(theirs)
  expect(carried).toMatchObject({ SystemName: 'Old Gate', SMTPToken: expect.stringMatching(/^v1:/) })
  expect(carried).not.toHaveProperty('PasswordLoginEnabled')
  expect(JSON.parse(carried.ModelRatio!)).toMatchObject({
    'gpt-4o': 77,
    'own-model': 3,
    'gpt-4o-mini': expect.any(Number),
  })
  expect(JSON.parse(carried.CompletionRatio!)).toMatchObject({ 'gpt-4o': 4 })
  expect(JSON.stringify(report)).not.toContain('mail-secret')
  expect(report.totals).toMatchObject({
    'moving.option_invalid': 1,
    'moving.option_unknown': 1,
    'moving.price_built_in': 2,
  })
  await theirs.change("update options set value = 'New Gate' where key = 'SystemName'")
  await moved(theirs, file)
  expect(await optionsOf(theirs)).toMatchObject({ SystemName: 'New Gate' })

  const ours = await setUpInstallation()
  const kept = await moved(ours, file, '--prices', 'ours')
  expect(await optionsOf(ours)).not.toHaveProperty('ModelRatio')
  expect(kept.notes).toContainEqual(
    expect.objectContaining({
      key: 'moving.price_ours',
      params: expect.objectContaining({ model: 'gpt-4o', theirs: '77' }),
    }),
  )
})

test('channel types are mapped by product; one that is not carried is left out, an unusable one is disabled', async () => {
  const place = await setUpInstallation()
  const info = new TextEncoder().encode('{"is_multi_key":true,"multi_key_status_list":{"1":3}}')
  const channels = [
    ...[
      channel(1, 49, { key: 'pat_x', other: 'bot' }),
      channel(2, 57),
      channel(3, 10, { base_url: 'https://api2d.example' }),
    ],
    ...[channel(4, 1, { key: 'sk-a\nsk-b\nsk-c', channel_info: info }), channel(5, 1, { model_mapping: '{broken' })],
    ...[channel(6, 8, { base_url: '' }), channel(7, 1, { models: 'gpt-4o', setting: '{"proxy":"nowhere"}' })],
  ]
  const report = await moved(place, fileOf('new-api', peopled('new-api', channels)))
  expect(await rowsOf(place, 'select id, type, status from channels order by id')).toEqual([
    ...[
      { id: 1, type: 101, status: 1 },
      { id: 3, type: 1, status: 1 },
      { id: 4, type: 1, status: 1 },
    ],
    ...[
      { id: 5, type: 1, status: 1 },
      { id: 6, type: 8, status: 2 },
      { id: 7, type: 1, status: 1 },
    ],
  ])
  expect(report.totals).toMatchObject({ 'moving.channel_type': 1, 'moving.channel_flaw': 1, 'moving.channel_field': 2 })
  const closed = await rowsOf(place, 'select channel_id, key_hash, status from channel_keys_closed')
  expect(closed).toEqual([{ channel_id: 4, key_hash: digest('sk-b'), status: 3 }])
  const one = await setUpInstallation()
  const config = JSON.stringify({ region: 'us-east-1', ak: 'AKIDEXAMPLE00000000', sk: 'secret' })
  const bedrock = channel(1, 33, { key: '', config })
  await moved(one, fileOf('one-api', peopled('one-api', [bedrock, channel(2, 29), channel(3, 38)])))
  expect(await rowsOf(one, 'select id, type, base_url, status from channels order by id')).toEqual([
    { id: 1, type: 33, base_url: '', status: 1 },
    { id: 2, type: 1, base_url: 'https://api.groq.com/openai', status: 1 },
  ])
})

const HOUR = 3600

test('usage logs of the wanted days are carried once, and a later run goes on behind the last one', async () => {
  const place = await setUpInstallation()
  const at = Math.floor(Date.now() / 1000)
  const log = (id: number, type: number, age: number, more: object = {}) => ({
    ...{ id, user_id: 2, created_at: at - age, type, content: `entry ${id}`, username: 'ann', token_name: 'default' },
    ...{ model_name: 'gpt-4o', quota: 5, prompt_tokens: 3, completion_tokens: 4, is_stream: true, channel_id: 3 },
    ...{ use_time: 2, token_id: 3, group: 'vip', other: '{"status_code":429,"admin_info":{}}', ...more },
  })
  const logs = [
    ...[log(1, 2, 40 * 24 * HOUR), log(2, 2, HOUR), log(3, 5, HOUR), log(4, 6, HOUR), log(5, 7, HOUR)],
    log(6, 2, HOUR, { user_id: 98 }),
  ]
  const rows = { ...peopled('new-api', [channel(3, 1)]), logs }
  const dry = await moved(place, fileOf('new-api', rows), '--logs', '30', '--dry-run')
  expect([dry.counts.log, await place.read('select id from logs')]).toEqual([{ found: 5, carried: 4, before: 0 }, []])
  await moved(place, fileOf('new-api', rows), '--logs', '30')
  const columns = 'type, user_id, token_id, channel, quota, use_time, other, content'
  const stored = () => rowsOf(place, `select ${columns} from logs order by content`)
  const entry = { user_id: 2, token_id: 3, channel: 3, quota: 5, use_time: 2, other: '' }
  const carried = [
    { ...entry, type: 2, content: 'entry 2' },
    { ...entry, type: 6, other: '{"status_code":429}', content: 'entry 3' },
    { ...entry, type: 4, content: 'entry 4' },
    { ...entry, type: 4, content: 'entry 5' },
  ]
  expect(await stored()).toEqual(carried)
  const later = { ...rows, logs: [...logs, log(7, 2, 0)] }
  expect((await moved(place, fileOf('new-api', later), '--logs', '30')).counts.log.carried).toBe(1)
  expect(await stored()).toEqual([...carried, { ...entry, type: 2, content: 'entry 7' }])
})
