/** A prompt that a channel's parameters make longer is reserved for and billed: in every format that both sides speak. */
import { expect, test } from 'bun:test'
import { formats } from '../../../src/formats/index.ts'
import { setOption } from '../../support/app/options.ts'
import { client, quotaOf } from '../../support/people/client.ts'
import { errorOf } from '../../support/people/responses.ts'
import { deleteChannels } from '../../support/upstream/served-channel.ts'
import { callIn, channelFor, serverOf } from '../../support/upstream/translation.ts'

const limits = {
  'openai-chat': { max_tokens: 5 },
  'openai-responses': { max_output_tokens: 5 },
  anthropic: { max_tokens: 5 },
  gemini: { generationConfig: { maxOutputTokens: 5 } },
}

const prompts = (text: string) => ({
  'openai-chat': { messages: [{ role: 'user', content: text }] },
  'openai-responses': { instructions: text },
  anthropic: { system: text },
  gemini: { systemInstruction: { parts: [{ text }] } },
})

test.each(formats)('override in %s that makes the prompt longer: reserved for', async format => {
  await deleteChannels()
  await setOption('PreConsumedQuota', 0)
  serverOf(format).plays('text')
  const longer = prompts('Some words of a prompt that is not short. '.repeat(1000))[format]
  await channelFor(format, { param_override: JSON.stringify(longer) })
  const before = serverOf(format).asked.length
  const poor = await client({}, quotaOf(1000, 100))
  const refused = await callIn(format, poor, limits[format])
  expect(await errorOf(refused)).toMatchObject({ status: 403 })
  expect(serverOf(format).asked).toHaveLength(before)
  const rich = await client({}, quotaOf(100_000, 100))
  expect((await callIn(format, rich, limits[format])).status).toBe(200)
  expect(serverOf(format).asked).toHaveLength(before + 1)
})
