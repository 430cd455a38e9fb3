// @engine sqlite
/** Addresses of Cloudflare Workers AI: below an account, and at an AI Gateway. */
import { expect, test } from 'bun:test'
import { requestFor } from '../support/upstream/request.ts'

const account = 'https://api.cloudflare.com/client/v4/accounts/acc%2F1/ai'
const gateway = 'https://gateway.ai.cloudflare.com/v1/acc/gw/workers-ai'
const llama = '@cf/meta/llama-3.1-8b-instruct'
const sdxl = '@cf/stabilityai/stable-diffusion-xl-base-1.0'

const cases: [base: string, operation: 'chat' | 'image_generations', model: string, url: string][] = [
  ['', 'chat', llama, `${account}/v1/chat/completions`],
  ['https://api.cloudflare.com/client/v4/', 'chat', llama, `${account}/v1/chat/completions`],
  ['', 'image_generations', sdxl, `${account}/run/${sdxl}`],
  ['', 'image_generations', '@cf/a b/c?d', `${account}/run/@cf/a%20b/c%3Fd`],
  [gateway, 'chat', llama, `${gateway}/v1/chat/completions`],
  [gateway, 'image_generations', sdxl, `${gateway}/${sdxl}`],
  ['https://gateway.ai.cloudflare.com/v1/acc/gw', 'chat', llama, `${gateway}/v1/chat/completions`],
]

test.each(cases)('the base URL %p gives %s of %s the address %s', (base_url, operation, model, url) => {
  const call = { type: 39, base_url, key: 'k', other: 'acc/1' }
  expect(requestFor(call, operation, model, { model, prompt: 'A cat', messages: [] })?.url).toBe(url)
})
