// @engine sqlite
/** GitHub Models: a version header, and filter results before the first text. */
import { testProvider } from '../support/upstream/provider-fixtures.ts'
import { aChat, needing } from '../support/upstream/strict-provider.ts'

await testProvider('github', {
  channel: { type: 49, key: 'github_pat_1' },
  headers: {
    authorization: 'Bearer {key}',
    accept: 'application/vnd.github+json',
    'x-github-api-version': '2022-11-28',
  },
  models: { answers: { '/catalog/models': [{ id: 'openai/a' }, { id: 'meta/b' }] }, found: ['openai/a', 'meta/b'] },
  paths: {
    'POST /v1/chat/completions': [aChat, listOf('stop')],
    'POST /v1/embeddings': [needing('model', 'input'), listOf('input')],
  },
})

function listOf(name: string) {
  return (body: Record<string, any>) => (name in body && !Array.isArray(body[name]) ? `${name} is a list` : undefined)
}
