// @engine sqlite
/** Bedrock's signature, addresses and keys. */
import { describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { Sha256 } from '@aws-crypto/sha256-js'
import { SignatureV4 } from '@smithy/signature-v4'
import { bedrockIdOf } from '../../src/models/bedrock-ids.ts'
import { flawOfKeys, providerOf } from '../../src/providers/index.ts'
import { imageUrls, withInlineImages } from '../../src/providers/kit/image-urls.ts'
import { awsSignature } from '../../src/providers/signing/sigv4.ts'
import { setUp } from '../support/people/person.ts'
import { BEDROCK_KEY, bedrockServer } from '../support/upstream/bedrock-server.ts'
import { makeChannel } from '../support/upstream/channel.ts'
import { requestFor, type TypedCall } from '../support/upstream/request.ts'

const secret = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY'
const credentials = { access_key: 'AKIDEXAMPLE00000000', secret }
const at_ms = Date.UTC(2025, 5, 1, 12)
const scope = { region: 'us-east-1', service: 'bedrock', at_ms }
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

const call: TypedCall = { type: 33, base_url: '', key: `AKIDEXAMPLE00000000|${secret}|us-east-1`, at_ms }
const body = { max_tokens: 16, messages: [{ role: 'user', content: 'hi' }] }

describe('signatures', () => {
  const vector = 'f3ef3ee384d960e6e1f96c458b2efe4a87d5cc5e77f07a0295b14bde74315423'
  const text = '{"anthropic_version":"bedrock-2023-05-31","max_tokens":16,"messages":[{"role":"user","content":"hi"}]}'

  test('the known request has the known signature', () => {
    expect(sha256(text)).toBe('616eb59224eb795b641b4c541ad9ee8b939a1e8798f73b54fce66bb79ddbb992')
    const url = 'https://bedrock-runtime.us-east-1.amazonaws.com/model/anthropic.claude-3-haiku-20240307-v1%3A0/invoke'
    const headers = { 'content-type': 'application/json' }
    const signed = awsSignature({ method: 'POST', url, headers, body_sha256: sha256(text) }, credentials, scope)
    expect(signed).toEqual({
      'x-amz-date': '20250601T120000Z',
      authorization: `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE00000000/20250601/us-east-1/bedrock/aws4_request, SignedHeaders=content-type;host;x-amz-date, Signature=${vector}`,
    })
  })

  test('a request of a channel is the known request', () => {
    const request = requestFor(call, 'chat', 'anthropic.claude-3-haiku-20240307-v1:0', body)!
    expect(request.body).toBe(text)
    expect(request.headers.authorization).toEndWith(`Signature=${vector}`)
  })

  test('a request to a proxy is signed for the host of the service, one to another host of AWS for that host', () => {
    const signatureAt = (base_url: string) =>
      requestFor({ ...call, base_url }, 'chat', 'anthropic.claude-3-haiku-20240307-v1:0', body)!.headers.authorization
    expect(signatureAt('https://proxy.example/aws/')).toEndWith(vector)
    expect(signatureAt('https://vpce-1.bedrock-runtime.us-east-1.vpce.amazonaws.com')).not.toEndWith(vector)
  })

  const requests: [url: string, method: 'GET' | 'POST', session_token: string][] = [
    ['https://bedrock.eu-west-1.amazonaws.com/foundation-models', 'GET', ''],
    ['https://bedrock.eu-west-1.amazonaws.com/inference-profiles?nextToken=a%2Fb%3D%20c&maxResults=1000', 'GET', ''],
    ['https://a.example/model/arn%3Aaws%3Abedrock%3Aus-east-1%3A1%3Ainference-profile%2Fx/converse', 'POST', ''],
    ['https://a.example/model/a%20b%21%27%28%29%2A~-_.%C3%A9/invoke', 'POST', 'IQoJb3/+='],
    ['https://a.example:8443/model/m/invoke', 'POST', ''],
  ]
  test.each(requests)('the signature of %s is that of AWS’s own signer', async (url, method, session_token) => {
    const headers: Record<string, string> = method === 'POST' ? { 'content-type': 'application/json' } : {}
    const payload = method === 'POST' ? text : ''
    const own = { ...credentials, session_token }
    const signed = awsSignature({ method, url, headers, body_sha256: sha256(payload) }, own, scope)
    const { host, hostname, pathname, searchParams } = new URL(url)
    const signer = new SignatureV4({
      ...{ service: 'bedrock', region: 'us-east-1', sha256: Sha256, applyChecksum: false },
      credentials: {
        accessKeyId: credentials.access_key,
        secretAccessKey: secret,
        ...(session_token && { sessionToken: session_token }),
      },
    })
    const theirs = await signer.sign(
      {
        ...{ method, protocol: 'https:', hostname, path: pathname, query: Object.fromEntries(searchParams) },
        headers: { ...headers, host },
        body: payload || undefined,
      },
      { signingDate: new Date(at_ms) },
    )
    expect(signed.authorization).toBe(theirs.headers.authorization!)
    expect(signed['x-amz-security-token'] ?? '').toBe(session_token)
  })
})

describe('addresses', () => {
  const ids: [name: string, region: string, id: string][] = [
    ['claude-3-haiku-20240307', 'us-east-1', 'us.anthropic.claude-3-haiku-20240307-v1:0'],
    ['claude-3-haiku-20240307', 'ap-south-1', 'apac.anthropic.claude-3-haiku-20240307-v1:0'],
    ['claude-3-haiku-20240307', 'ap-northeast-1', 'apac.anthropic.claude-3-haiku-20240307-v1:0'],
    ['claude-3-haiku-20240307', 'ca-central-1', 'anthropic.claude-3-haiku-20240307-v1:0'],
    ['claude-3-opus-20240229', 'eu-west-1', 'anthropic.claude-3-opus-20240229-v1:0'],
    ['claude-2.1', 'us-east-1', 'anthropic.claude-v2:1'],
    ['claude-sonnet-4-5', 'eu-central-1', 'eu.anthropic.claude-sonnet-4-5-20250929-v1:0'],
    ['claude-haiku-4-5-20251001', 'ap-northeast-1', 'jp.anthropic.claude-haiku-4-5-20251001-v1:0'],
    ['claude-haiku-4-5-20251001', 'ap-southeast-2', 'au.anthropic.claude-haiku-4-5-20251001-v1:0'],
    ['claude-opus-4-6', 'ap-south-1', 'global.anthropic.claude-opus-4-6-v1'],
    ['claude-opus-4-8', 'sa-east-1', 'global.anthropic.claude-opus-4-8'],
    ['claude-3-7-sonnet-latest', 'us-gov-west-1', 'us-gov.anthropic.claude-3-7-sonnet-20250219-v1:0'],
    ['nova-premier', 'us-west-2', 'us.amazon.nova-premier-v1:0'],
    ['gpt-oss-120b', 'us-west-2', 'openai.gpt-oss-120b-1:0'],
    ['amazon.nova-lite-v1:0', 'us-east-1', 'amazon.nova-lite-v1:0'],
    ['constructor', 'us-east-1', 'constructor'],
  ]
  test.each(ids)('%s in %s is %s', (name, region, id) => {
    expect(bedrockIdOf(name, region)).toBe(id)
  })

  const urls: [model: string, path: string][] = [
    ['claude-opus-4-6', 'us.anthropic.claude-opus-4-6-v1/invoke'],
    ['nova-lite', 'us.amazon.nova-lite-v1%3A0/converse'],
    [
      'arn:aws:bedrock:us-east-1:1:provisioned-model/x',
      'arn%3Aaws%3Abedrock%3Aus-east-1%3A1%3Aprovisioned-model%2Fx/converse',
    ],
    [
      'arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude-sonnet-4-6',
      'arn%3Aaws%3Abedrock%3Aus-east-1%3A1%3Ainference-profile%2Fus.anthropic.claude-sonnet-4-6/invoke',
    ],
  ]
  test.each(urls)('%s is called at %s', async (model, path) => {
    const server = await bedrockServer()
    const root = await setUp()
    const { id } = await makeChannel(root, { type: 33, key: BEDROCK_KEY, base_url: server.url, models: model })
    await root.get(`/api/channel/test/${id}`)
    await root.delete(`/api/channel/${id}`)
    expect(server.received.map(({ target }) => target)).toEqual([`/model/${path}`])
  })

  const bases = ['', 'https://bedrock-runtime.eu-west-1.amazonaws.com', 'https://bedrock.eu-west-1.amazonaws.com/']
  test.each(bases)('the model lists are those of the region’s control host, with the base URL %p too', base_url => {
    const steps = providerOf(33)!.listModels!({ base_url, key: 'bedrock-key|eu-west-1' })
    expect(steps.next().value).toBe('https://bedrock.eu-west-1.amazonaws.com/foundation-models')
    expect(steps.next({ modelSummaries: [] }).value).toBe(
      'https://bedrock.eu-west-1.amazonaws.com/inference-profiles?maxResults=1000',
    )
    expect(steps.next({ inferenceProfileSummaries: [{ inferenceProfileId: 'eu.a' }] })).toEqual({
      done: true,
      value: ['eu.a'],
    })
  })
})

describe('keys', () => {
  const keys: [key: string, flaw: string | undefined][] = [
    ['ak|sk|us-east-1', undefined],
    ['ak|sk|us-gov-west-1|token', undefined],
    ['bedrock-key|ap-southeast-2', undefined],
    ['', 'key_required'],
    ['ak', 'key_parts'],
    ['ak|sk|us-east-1|token|more', 'key_parts'],
    ['ak||us-east-1', 'key_parts'],
    ['ak|sk|', 'key_parts'],
    ['|us-east-1', 'key_parts'],
    ['ak|sk|Ohio', 'key_region'],
    ['ak|us-east-1|sk', 'key_region'],
    ['ak|sk|us-east-1.evil.example/', 'key_region'],
    ['ak|s k|us-east-1', 'key_characters'],
    ['ak|sk|us-east-1\r\nx: y', 'key_characters'],
  ]
  test.each(keys)('the key %j has the flaw %s', (key, flaw) => {
    expect(flawOfKeys(providerOf(33)!, key) as string | undefined).toBe(flaw)
  })

  test('a channel with such a key is not saved', async () => {
    const root = await setUp()
    for (const [key, flaw] of keys.filter(([, flaw]) => flaw)) {
      const made = await root.post('/api/channel/', { name: 'b', type: 33, key, models: 'nova-micro' })
      expect(made, key).toMatchObject({ success: false, code: `channel.${flaw}` })
    }
  })
})

test('images and documents with URLs become inline, those in tool results too', () => {
  const source = (url: string) => ({ type: 'url', url })
  const content = [
    { type: 'document', source: source('https://a.example/a.pdf'), title: 'a' },
    { type: 'tool_result', content: [{ type: 'image', source: source('https://a.example/b.png') }] },
    { type: 'search_result', source: 'https://a.example/c', content: [] },
  ]
  const chat = { messages: [{ role: 'user', content }] }
  expect(imageUrls(chat)).toEqual(['https://a.example/a.pdf', 'https://a.example/b.png'])
  const files = new Map([['https://a.example/a.pdf', { media_type: 'application/pdf', data: 'YQ==' }]])
  expect(withInlineImages(chat, files)).toEqual({
    messages: [
      {
        role: 'user',
        content: [
          { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'YQ==' }, title: 'a' },
          content[1],
          content[2],
        ],
      },
    ],
  })
})
