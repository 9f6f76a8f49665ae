package server

import (
	"sync"

	"github.com/bellglass/bellglass/client"
	"github.com/bellglass/bellglass/firewall"
	hostpage "github.com/bellglass/bellglass/host-page"
	innerframe "github.com/bellglass/bellglass/inner-frame"
	outerframe "github.com/bellglass/bellglass/outer-frame"
	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/selftest"
	"github.com/bellglass/bellglass/sw"
)

// bundles are the scripts that run in browsers.
type bundles struct {
	scripts map[string][]byte // by the file name of the entry point
	library sw.Bundled
}

// bundled is shared by all servers of the program, because the sources are embedded in the
// program.
var bundled = sync.OnceValues(func() (b bundles, err error) {
	sources := sw.Sources{
		"client":      client.TypeScript,
		"protocol":    protocol.TypeScript,
		"inner-frame": innerframe.TypeScript,
		"outer-frame": outerframe.TypeScript,
		"host-page":   hostpage.TypeScript,
		"selftest":    selftest.TypeScript,
	}
	b.scripts = map[string][]byte{}
	for _, entry := range []string{"inner-frame/boot.ts", "inner-frame/execute.ts", "inner-frame/isolated.ts", "inner-frame/isolatedworker.ts", "outer-frame/outer.ts", "host-page/start.ts", "selftest/selftest.ts"} {
		script, err := sw.Bundle(sources, entry, nil)
		if err != nil {
			return b, err
		}
		b.scripts[entry] = script.JS
	}
	for _, entry := range []string{"inner-frame/client.ts", "inner-frame/realm.ts"} {
		line, err := sw.BundleLine(sources, entry)
		if err != nil {
			return b, err
		}
		b.scripts[entry] = line.JS
	}
	b.library, err = sw.BundleModule(sources, "client/index.ts", nil)
	return b, err
})

// prepareScripts sets the server's worker, pages, and browser library.
func (s *Server) prepareScripts() error {
	b, err := bundled()
	if err != nil {
		return err
	}
	s.library = b.library
	s.innerPages, err = innerframe.New(innerframe.Scripts{
		Boot: b.scripts["inner-frame/boot.ts"], Client: b.scripts["inner-frame/client.ts"],
		Execute: b.scripts["inner-frame/execute.ts"], Isolated: b.scripts["inner-frame/isolated.ts"], IsolatedWorker: b.scripts["inner-frame/isolatedworker.ts"],
	})
	if err != nil {
		return err
	}
	if s.worker, err = sw.NewWorker(sw.Lacks{
		Decision:      !s.config.Defenses.Has(firewall.WorkerDecision),
		AnswerHeaders: !s.config.Defenses.Has(firewall.AnswerHeaders),
	}, b.scripts["inner-frame/realm.ts"], s.innerPages.ClientRest()); err != nil {
		return err
	}
	if s.outerPage, err = outerframe.New(b.scripts["outer-frame/outer.ts"]); err != nil {
		return err
	}
	if s.noticePage, err = outerframe.NewNotice(); err != nil {
		return err
	}
	if s.hostPage, err = hostpage.New(b.scripts["host-page/start.ts"]); err != nil {
		return err
	}
	return s.offerSelfTest(b.scripts["selftest/selftest.ts"])
}
