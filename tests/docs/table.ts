export const table = (head: string[], lines: string[][]): string =>
  [head, head.map(() => '---'), ...lines].map(cells => `| ${cells.join(' | ')} |`).join('\n')
