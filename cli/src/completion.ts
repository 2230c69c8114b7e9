/** Completion for shells, made from the commands themselves. */
import type { Command } from 'commander'

export type Shell = 'bash' | 'zsh' | 'fish'

interface Words {
  commands: { name: string; description: string; options: string[] }[]
  options: string[]
}

function wordsOf(program: Command): Words {
  const optionsOf = (command: Command): string[] =>
    command.options.flatMap(({ long }) => (long === undefined || long === null ? [] : [long]))
  return {
    commands: program.commands.map((command) => ({
      name: command.name(),
      description: command.summary() || command.description(),
      options: optionsOf(command),
    })),
    options: optionsOf(program),
  }
}

export function completionScript(program: Command, shell: Shell): string {
  const words = wordsOf(program)
  return { bash, zsh, fish }[shell](words)
}

function cases({ commands, options }: Words): string {
  return commands
    .map(({ name, options: own }) => `    ${name}) words="${[...own, ...options].join(' ')}" ;;`)
    .join('\n')
}

function bash(words: Words): string {
  return `_posthorn() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words
  case "\${COMP_WORDS[1]}" in
${cases(words)}
    *) words="${words.commands.map(({ name }) => name).join(' ')}" ;;
  esac
  [ "$COMP_CWORD" = 1 ] && words="${words.commands.map(({ name }) => name).join(' ')}"
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [ \${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- "$current"))
}
complete -F _posthorn posthorn
`
}

function zsh(words: Words): string {
  return `#compdef posthorn
autoload -U +X bashcompinit && bashcompinit
${bash(words)}`
}

function fish({ commands, options }: Words): string {
  const quoted = (text: string): string => `'${text.replaceAll("'", "\\'")}'`
  const names = commands.map(
    ({ name, description }) =>
      `complete -c posthorn -n __fish_use_subcommand -a ${name} -d ${quoted(description)}`,
  )
  const flags = commands.flatMap(({ name, options: own }) =>
    [...own, ...options].map(
      (option) =>
        `complete -c posthorn -n '__fish_seen_subcommand_from ${name}' -l ${option.slice(2)}`,
    ),
  )
  return `${[...names, ...flags].join('\n')}\n`
}
