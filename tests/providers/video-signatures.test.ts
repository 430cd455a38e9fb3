// @engine sqlite
/** Signatures of Kling and Jimeng, by vectors that two independent programs have computed. */
import { expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { hs256 } from '../../src/providers/signing/hs256.ts'
import { volcengine } from '../../src/providers/signing/volcengine.ts'

test('a token of Kling is signed with the secret key', () => {
  expect(hs256({ iss: 'AK1', exp: 1767324645, nbf: 1767322840 }, 'SK1')).toBe(
    'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJBSzEiLCJleHAiOjE3NjczMjQ2NDUsIm5iZiI6MTc2NzMyMjg0MH0.xBGAQon1g8CG58oeXUI9WRvxLs77NL1y46AXAy7Mmds',
  )
})

test('a request of Jimeng is signed as Volcengine does', () => {
  const body_sha256 = createHash('sha256').update('{"req_key":"jimeng_t2v_v30","prompt":"a cat"}').digest('hex')
  expect(body_sha256).toBe('2f281458116057487058e763801dcbee397c7b649f1cf0ab06a3f7d7a8143edb')
  const url = 'https://visual.volcengineapi.com/?Action=CVSync2AsyncSubmitTask&Version=2022-08-31'
  const request = { method: 'POST', url, headers: { 'content-type': 'application/json' }, body_sha256 } as const
  const scope = { access_key: 'AKLTexample', secret_key: 'secretexample==', region: 'cn-north-1', service: 'cv' }
  expect(volcengine(request, scope, Date.UTC(2026, 0, 2, 3, 4, 5))).toEqual({
    authorization:
      'HMAC-SHA256 Credential=AKLTexample/20260102/cn-north-1/cv/request, SignedHeaders=content-type;host;x-content-sha256;x-date, Signature=b6a675a56d6652417ce98b906a6760bc5873a66adcfab7a7e9fdd084d7e7a3a4',
    'x-content-sha256': body_sha256,
    'x-date': '20260102T030405Z',
  })
})
