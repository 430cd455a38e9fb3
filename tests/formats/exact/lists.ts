/** All lists of lines, by the names of their files. */
import { chatLists } from './lines.ts'
import { operationLists } from './operation-lines.ts'

export const lists = { ...chatLists, ...operationLists }

export const fileOf = (list: string) => `${import.meta.dir}/recorded/${list.replaceAll(' ', '-')}.txt`
