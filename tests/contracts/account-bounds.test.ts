/** Bounds of the fields of accounts. */
import { expect, test } from 'bun:test'
import { Login, Password, Username } from '../../src/contracts/account.ts'
import { EmailAddress } from '../../src/contracts/mail.ts'
import { ProfileEdit } from '../../src/contracts/profile.ts'
import { CodeBody, ConfirmBody, PasskeyRename } from '../../src/contracts/security.ts'
import { UserCreation, UserEdit } from '../../src/contracts/user.ts'
import { SettingEdit } from '../../src/contracts/user-setting.ts'
import { type Bodies, boundsOf, expectBounds, letters, mail, SAFE, wide } from '../support/app/bounds.ts'

const bodies: Bodies = {
  'a new user': {
    schema: UserCreation,
    valid: { username: 'ann', password: letters(8) },
    rows: [
      [
        'username',
        ['a', letters(12)],
        { 'account.username_required': ['', ' '], 'account.username_too_long': [letters(13)] },
      ],
      ['password', [wide(8), wide(20)], { 'account.password_short': [wide(7)], 'account.password_long': [wide(21)] }],
      [
        'display_name',
        ['', wide(20)],
        { 'user.display_name_too_long': [wide(21)], 'user.display_name_characters': ['a\nb'] },
      ],
    ],
  },
  'the edit of a user': {
    schema: UserEdit,
    valid: { id: 1 },
    rows: [
      ['username', [letters(13)], { 'account.username_required': ['', ' '] }],
      ['group', ['g'], { 'user.group_required': ['', ' '] }],
      ['concurrency_limit', [0, SAFE], { 'user.concurrency_invalid': [-1, 0.5] }],
      ['tokens_per_minute', [0, 1e9], { 'user.tokens_invalid': [-1, 0.5, 1e9 + 1] }],
      ['quota', [0, SAFE], { 'user.quota_invalid': [0.5, SAFE + 1] }],
      ['quota_delta', [-SAFE, SAFE], { 'user.quota_invalid': [0.5, -SAFE - 1] }],
      [
        'password',
        ['', letters(8), letters(20)],
        { 'account.password_short': [letters(7)], 'account.password_long': [letters(21)] },
      ],
    ],
  },
  'the profile of a user': {
    schema: ProfileEdit,
    valid: {},
    rows: [
      ['display_name', ['', wide(20)], { 'user.display_name_too_long': [wide(21)] }],
      ['original_password', ['', letters(256)], { 'me.original_password_wrong': [letters(257)] }],
    ],
  },
  'the settings of a user': {
    schema: SettingEdit,
    valid: {},
    rows: [
      ['notify_type', ['email', 'webhook'], { 'me.notify_type_invalid': ['sms'] }],
      ['quota_warning_threshold', [1, SAFE], { 'me.threshold_invalid': [0, -1, 0.5] }],
      [
        'webhook_url',
        ['', `https://a.example/${letters(482)}`],
        {
          'me.webhook_invalid': [
            `https://a.example/${letters(483)}`,
            'http://a.example',
            'https://a:b@a.example',
            'https://a@a.example',
          ],
        },
      ],
      ['webhook_secret', ['', letters(200)], { 'me.secret_long': [letters(201)] }],
      ['notification_email', ['', mail(38)], { 'mail.bad_address': [mail(39), 'a@b'] }],
    ],
  },
  'a sign-in': {
    schema: Login,
    valid: { username: 'a', password: 'b' },
    rows: [
      ['username', [letters(256)], { 'account.login_required': ['', ' '], 'account.login_wrong': [letters(257)] }],
      ['password', [' ', letters(256)], { 'account.login_required': [''], 'account.login_wrong': [letters(257)] }],
    ],
  },
  'a proof': {
    schema: ConfirmBody,
    valid: {},
    rows: [
      [
        'password',
        ['a', letters(256)],
        { 'security.password_required': [''], 'security.password_wrong': [letters(257)] },
      ],
    ],
  },
  'a code': {
    schema: CodeBody,
    valid: { code: '1' },
    rows: [
      ['code', ['1', letters(256)], { 'security.code_required': ['', ' '], 'security.code_wrong': [letters(257)] }],
    ],
  },
  'the name of a passkey': {
    schema: PasskeyRename,
    valid: { name: 'a' },
    rows: [
      [
        'name',
        [wide(30)],
        { 'security.passkey_name_required': ['', ' '], 'security.passkey_name_too_long': [wide(31)] },
      ],
    ],
  },
}

test.each(boundsOf(bodies))('$name takes $field up to its bounds and refuses the next value', expectBounds)

test.each([
  ['username', Username, ['a', 'ab_.-9', '张三', letters(12)], ['', 'a b', 'ab！', 'aж', letters(13), 'ａ']],
  ['password', Password, [letters(8), letters(20)], [letters(7), letters(21)]],
  ['address', EmailAddress, [mail(38), 'a.b@münchen.de'], [mail(39), 'a@b', '.a@b.de', 'a b@c.de', '']],
] as const)('the schema of a %s takes and refuses', (_, schema, taken, refused) => {
  for (const value of taken) expect([value, schema.safeParse(value).success]).toEqual([value, true])
  for (const value of refused) expect([value, schema.safeParse(value).success]).toEqual([value, false])
})
