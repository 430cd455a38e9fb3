/**
 * Where requests name what Google stores. https://ai.google.dev/api/generate-content and
 * https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/inference (read 2026-11)
 */
import { type StoredPlace, storedPlaces } from '../stored-places.ts'
import { spellingsOf } from './names.ts'

const corpora = 'tools.retrieval.vertexRagStore'
const search = 'tools.retrieval.vertexAiSearch'

export const geminiPlaces: readonly StoredPlace[] = [
  { kind: 'cached_content', at: 'cachedContent' },
  { kind: 'cached_content', at: 'generationConfig.cachedContent' },
  { kind: 'file', at: 'contents.parts.fileData.fileUri', use: useOfFile },
  { kind: 'file', at: 'contents.parts.functionResponse.parts.fileData.fileUri', use: useOfFile },
  { kind: 'file', at: 'systemInstruction.parts.fileData.fileUri', use: useOfFile },
  { kind: 'vector_store', at: 'tools.fileSearch.fileSearchStoreNames[]' },
  { kind: 'vector_store', at: `${corpora}.ragCorpora[]` },
  { kind: 'vector_store', at: `${corpora}.ragResources.ragCorpus` },
  { kind: 'file', at: `${corpora}.ragResources.ragFileIds[]` },
  { kind: 'vector_store', at: `${search}.datastore` },
  { kind: 'vector_store', at: `${search}.engine` },
  { kind: 'vector_store', at: `${search}.dataStoreSpecs.dataStore` },
]

export const storedIn = storedPlaces(geminiPlaces, {
  same: { extra_body: '' },
  spellings: spellingsOf,
})

/** The Files API, by any spelling of its address. */
const filesHost = /^https?:\/*[^/?#]*generativelanguage\./i

/** Other addresses are public; files of Cloud Storage are read with the credentials of the channel. */
function useOfFile(uri: string) {
  return /^https?:/i.test(uri) && !filesHost.test(uri) ? undefined : 'needed'
}
