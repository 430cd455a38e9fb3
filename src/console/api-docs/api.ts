/** The OpenAPI document, which is made at its first request. */
import { Elysia } from 'elysia'
import { API_DOCUMENT_PATH, type ServedRoute } from '../../contracts/api-docs.ts'
import type { ApiDocument } from './document.ts'

export type ApiDocumentSource = () => Promise<ApiDocument>

/** @param routes are complete at the first request */
export function apiDocumentOf(routes: () => readonly ServedRoute[]): ApiDocumentSource {
  let document: Promise<ApiDocument> | undefined
  return () => (document ??= import('./document.ts').then(({ documentOf }) => documentOf(routes())))
}

/** Tools on other sites may read it. */
const headers = { 'access-control-allow-origin': '*', 'cache-control': 'no-cache' }

export const apiDocumentRoute = (source: ApiDocumentSource) =>
  new Elysia().get(API_DOCUMENT_PATH, async () => Response.json(await source(), { headers }))
