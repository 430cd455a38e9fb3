/**
 * Groups of functions, which OpenAI's clients name apart from the function. In other formats the name of the group begins
 * that of the function. https://developers.openai.com/api/docs/guides/tools-tool-search (read 2026-11)
 */
import type { Field } from '../json/strict-json.ts'

const SEPARATOR = '__'

export const nameIn = (namespace: string | undefined, name: string): string =>
  namespace ? namespace + SEPARATOR + name : name

/** @param named a call, or a choice of a function */
export const fullNameOf = (named: Field): string => nameIn(named.find('namespace')?.text(), named.at('name').text())

/** @returns the function's own name */
export const nameWithout = (namespace: string, name: string): string => name.slice(namespace.length + SEPARATOR.length)
