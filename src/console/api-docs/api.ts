/** The OpenAPI document, which is made at its first request. */
import { Elysia } from 'elysia'
import { API_DOCUMENT_PATH, type ApiNoun, type ServedRoute } from '../../contracts/api-docs.ts'
import type { ApiDocument } from './document.ts'

export interface ApiDocumentSource {
  document(): Promise<ApiDocument>
  /** What the page shows of it. */
  nouns(): Promise<ApiNoun[]>
}

/** @param routes are complete at the first request */
export function apiDocumentOf(routes: () => readonly ServedRoute[]): ApiDocumentSource {
  const document = once(async () => (await import('./document.ts')).documentOf(routes()))
  return { document, nouns: once(async () => (await import('./nouns.ts')).nounsOf(await document())) }
}

function once<Result>(load: () => Promise<Result>): () => Promise<Result> {
  let loaded: Promise<Result> | undefined
  return () => (loaded ??= load())
}

/** Tools on other sites may read it. */
const headers = { 'access-control-allow-origin': '*', 'cache-control': 'no-cache' }

export const apiDocumentRoute = (source: ApiDocumentSource) =>
  new Elysia().get(API_DOCUMENT_PATH, async () => Response.json(await source.document(), { headers }))
