/** Route of the OpenAPI document, which is made at its first request. */
import { Elysia } from 'elysia'
import { API_DOCUMENT_PATH, type ApiNoun, type ServedRoute } from '../../contracts/api-docs.ts'
import type { Language } from '../../locales/languages.ts'
import type { ApiDocument } from './document.ts'

export interface ApiDocumentSource {
  document(): Promise<ApiDocument>
  /** What the page shows of it, with summaries in this language. */
  nouns(language: Language): Promise<ApiNoun[]>
}

/** @param routes are complete at the first request */
export function apiDocumentOf(routes: () => readonly ServedRoute[]): ApiDocumentSource {
  const document = once(async language => (await import('./document.ts')).documentOf(routes(), language))
  const nouns = once(async language => (await import('./nouns.ts')).nounsOf(await document(language)))
  return { document: () => document('en'), nouns }
}

/** Loads once for each language. */
function once<Result>(load: (language: Language) => Promise<Result>): (language: Language) => Promise<Result> {
  const loaded = new Map<Language, Promise<Result>>()
  return language => loaded.getOrInsertComputed(language, load)
}

/** Tools on other sites may read it. */
const headers = {
  'access-control-allow-origin': '*',
  'cache-control': 'no-cache',
  'x-content-type-options': 'nosniff',
}

export const apiDocumentRoute = (source: ApiDocumentSource) =>
  new Elysia().get(API_DOCUMENT_PATH, async () => Response.json(await source.document(), { headers }))
