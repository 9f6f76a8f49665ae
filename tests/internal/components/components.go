// Package components writes a React project in TypeScript, as large as a test needs it.
package components

import (
	"fmt"
	"strings"
)

// Main is the path of the project's entry.
const Main = "/src/main.tsx"

// Files returns the sources of a project of n components, each with a style sheet of its own. Its
// page needs an element #root and the script [Main].
func Files(n int) map[string]string {
	files := map[string]string{"/src/parts/count.ts": "let n = 0\nexport const count = (): number => ++n\n"}
	var imports, uses strings.Builder
	for i := range n {
		files[Path(i)] = Part(i, "")
		files[fmt.Sprintf("/src/parts/Part%d.module.css", i)] = fmt.Sprintf(".part { padding-left: %dpx }\n", i)
		fmt.Fprintf(&imports, "import { Part%[1]d } from './parts/Part%[1]d'\n", i)
		fmt.Fprintf(&uses, "<Part%d title=\"part\" />", i)
	}
	files[Main] = fmt.Sprintf(`// shows li:last-child :: part %[1]d
// shows #all :: %[2]d parts, the last one at %[1]dpx
import { StrictMode, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
%[3]s
function All() {
  const [said, setSaid] = useState('')
  useEffect(() => {
    const parts = [...document.querySelectorAll('li')]
    setSaid(parts.length + ' parts, the last one at ' + getComputedStyle(parts.at(-1)!).paddingLeft)
  }, [])
  return <><ul>%[4]s</ul><p id="all">{said}</p></>
}

createRoot(document.getElementById('root')!).render(<StrictMode><All /></StrictMode>)
`, n-1, n, &imports, &uses)
	return files
}

// Path returns the path of a component.
func Path(i int) string { return fmt.Sprintf("/src/parts/Part%d.tsx", i) }

// Part returns the source of a component, with more code after it.
func Part(i int, more string) string {
	return fmt.Sprintf(`import { memo, useState } from 'react'
import { count } from './count'
import styles from './Part%[1]d.module.css'

interface Props { title: string }

export const Part%[1]d = memo(function Part%[1]d({ title }: Props) {
  const [order] = useState(count)
  return <li className={styles.part} data-order={order}>{title} %[1]d</li>
})
%[2]s`, i, more)
}
