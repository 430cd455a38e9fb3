/** OpenAI's own client. Its 236 modules are loaded by the files alone that call with it. */
import OpenAI from 'openai'
import type { Client } from './client.ts'

export const openAiOf = ({ key, url }: Client) =>
  new OpenAI({ apiKey: `sk-${key}`, baseURL: `${url}/v1`, maxRetries: 0 })
