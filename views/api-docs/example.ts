/** curl command of an operation. */
import type { ApiOperation } from '../../src/contracts/api-docs.ts'
import type { ApiSetting } from './view.ts'

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

export function exampleCall(operation: ApiOperation, { base, key, model }: ApiSetting): string {
  const { method, path, access, of_relay, body_type, example, fields } = operation
  const query = fields
    .filter(({ place, is_required }) => place === 'query' && is_required)
    .map(({ name }) => `${name}=…`)
  const url = base + path.replace('{model}', model) + (query.length ? `?${query.join('&')}` : '')
  const credential = of_relay && access === 'key' ? key : '$ACCESS_TOKEN'
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(url)}`,
    ...(access === 'anyone' ? [] : [`-H "Authorization: Bearer ${credential}"`]),
    ...(access === 'anyone' || access === 'key' ? [] : ['-H "Tollgate-User: $USER_ID"']),
    ...(body_type === 'json' ? ['-H "Content-Type: application/json"', `-d ${quoted(example || '{}')}`] : []),
    ...(body_type === 'form'
      ? fields.filter(({ place, is_required }) => place === 'body' && is_required).map(formField)
      : []),
  ].join(' \\\n  ')
}

const formField = ({ name, about }: { name: string; about: string }) =>
  `-F ${name}=${about.startsWith('A file') ? '@file' : '…'}`
