package npm

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// A Package is one pinned tarball.
type Package struct {
	Name    string
	Version string
	// Integrity is what `npm view NAME@VERSION dist.integrity` prints:
	// "sha512-" and the hash of the tarball in base64.
	Integrity string
}

// String returns the form npm understands: NAME@VERSION.
func (p Package) String() string { return p.Name + "@" + p.Version }

// packages are the tools of the tests. The applications that run in a sandbox are rows
// of tests/internal/apps.
var packages = []Package{
	// The driver behind playwright-go v0.5200.1, which works with this version only.
	{"playwright-core", "1.52.0", "sha512-l2osTgLXSMeuLZOML9qYODUQoPPnUsKsb5/P6LJ2e6uPKXUdPK5WYhN4z03G+YNbWmGDY4YENauNu4ZKczreHg=="},
	// The type checker for our TypeScript. 7 and later are native builds; this is plain JavaScript.
	{"typescript", "5.9.3", "sha512-jl1vZzPDinLr9eUt3J/t7V6FgNEw9QjvBPdysz9KfQDD41fQrC2Y4vKQdiaUpFT4bXlb1RHhLpp8wtm6M5TgSw=="},
	// The linter of the OpenAPI document. It includes all that it imports.
	{"@redocly/cli", "2.77.0", "sha512-XUa4hURDWLPG9WukIXo+UBqa9VpeTndmLI5PHu9QDkwtwH990Jsgz9nl2m1pZjsWrKFPP7avn6etRxxDbuD2Bg=="},
	// What a first paint is compared with, and its imports.
	{"@codesandbox/sandpack-client", "2.19.8", "sha512-CMV4nr1zgKzVpx4I3FYvGRM5YT0VaQhALMW9vy4wZRhEyWAtJITQIqZzrTGWqB1JvV7V72dVEUCUPLfYz5hgJQ=="},
	{"static-browser-server", "1.0.5", "sha512-TMRqt1O/qHVJK8lG+cu65+PzgBdloOIpA+mpox+I0fwV0uhLn7dEkYG6UG+7ytZqXZCcBSSyZxELGR2QnWuoLA=="},
	{"outvariant", "1.4.0", "sha512-AlWY719RF02ujitly7Kk/0QlV+pXGFDHrHf9O2OKqyqgBieaPOIeuSkL8sRK6j2WK+/ZAURq2kZsY0d8JapUiw=="},
	{"dequal", "2.0.3", "sha512-0je+qPKHEMohvfRTCEo3CrPG6cAzAYgmzKyxRiYSSDkS6eGJdyVJm7WaYA5ECaAD9wLB2T4EEeymA5aFVcYXCA=="},
	// Vite's development server, with which tests compare hot modules, and its imports. Its native
	// code is for the machines of CI.
	{"vite", "8.3.8", "sha512-LzOn3h9rG/0vhLdXrV4yJ4QFA9eEoqCl+Yx+kGJd7aB9w6nfNgVHKSYwLPZUHrz4ZGa+t+kXjV9itvcHDLQouA=="},
	{"rolldown", "1.2.19", "sha512-QIiV1J9d0pzN4jeeTH4sjPy0AZ6cAy2cG0ExeoE1+U8Rvj+hR3gYkokx0YbeUNGlZqiQJJ2utcETe0oKXwzsuA=="},
	{"@oxc-project/types", "0.156.0", "sha512-1Duyg48TdJNdyhEB8Xn1L36bT9Pv6GUtlKjHxOys8xkaF/rQq3XJE+bAurSK/AgIz5mGFsb77cn9Pb20+WCScw=="},
	{"@rolldown/pluginutils", "1.1.1", "sha512-glFIJDvLNDtJhT9qrMFWLPbvS+skxgt4L0K8Ei2YtnhPysAJnsI7nyxSJxKj4ADeKX0OLjC4ntRkwpLOoS3rwA=="},
	{"@rolldown/binding-linux-x64-gnu", "1.2.19", "sha512-rm75/9DkHKeU2WnA8w4X94WGYgLlDCFCfkQC+4bguVJmC/jvDRv2B+2wLOYhyE0fVuv7//Ckk39OoOufyCu76Q=="},
	{"lightningcss", "1.33.0", "sha512-WkUDrojuJs0xkgGf2udWxa3yGBRxPtxUkB79i6aCZLRgc7PM8fZe9TosfPDcvEpQZbuFASnHYmRLBLUbmLOIIA=="},
	{"lightningcss-linux-x64-gnu", "1.33.0", "sha512-ar+Ju7LmcN0Jo4FpL4hpFybwNG9/3A/Br5KW2n2jyODg3MEZXaDYADdemoNS+BDNfMgKvylJLj4S5tyRActuAg=="},
	{"detect-libc", "2.1.2", "sha512-Btj2BOOO83o3WyH59e8MgXsxEQVcarkUOpEYrubB0urwnN10yQ364rsiByU11nZlqWYZm05i/of7io4mzihBtQ=="},
	{"picomatch", "4.0.7", "sha512-qcJu88Q2IWqJsDD529JKMdwGm/dvInW4HvQnRwiH9JtihJvzGOscDtHE3x1pBKeUOTysQ8kVmLnJ2kJu7yhcGA=="},
	{"postcss", "8.5.33", "sha512-RVHEU9/Pp1Fnjr/MpAJsZoADukCKhfIi15OunEYiGktIkYLkPVvC1sioWolGDS7XByMTx9m/IGbro0Js13zhnQ=="},
	{"nanoid", "3.3.20", "sha512-uKdg2G3GNCKQn9byYOpxbGqrT2fGO5KRt5J/8b3pok8rT6qxGWF6hxMyJiEYtAf+FVyYuD9hRaDqX5uPFYJ4ZQ=="},
	{"picocolors", "1.1.1", "sha512-xceH2snhtb5M9liqDsmEw56le376mTZkEX/jEb/RxNFyegNul7eNslCXP9FDj/Lcu0X8KEyMceP2ntpaHrDEVA=="},
	{"source-map-js", "1.2.4", "sha512-J7ZjMvHd9O1fcT/5V09QWaaSl2BbWx3F6O08spde82Namf9UB0GxRVIPiNbVsdKkoizHiSpTodo3vp2bAy91MA=="},
	{"tinyglobby", "0.2.17", "sha512-wXR/dYpcqKmfWpEdZjiKJOwCNFndD0DMnrW/cYjVGttEkBfVgcLFHoNrlj47mjOVic9yyNu65alsgF4NQyTa2g=="},
	{"fdir", "6.5.0", "sha512-tIbYtZbucOs0BRGqPJkshJUYdL+SDH7dVM8gjy+ERp3WAUjLEFJE+02kanyHtwjWOnwrKYBiwAmM0p4kLJAnXg=="},
	// MCP hosts and apps as their authors publish them, and their imports.
	{"@modelcontextprotocol/ext-apps", "2.0.4", "sha512-B+PcbuGiaf0e5I3uy4iO5tS3Abo+5w8JvZFzHMzQdq9yVwP836zJkw2+KCGOQ0r4TM1fuQi4JdnbuWjkS4aBvg=="},
	{"@modelcontextprotocol/client", "2.0.0", "sha512-8f1OghQ2rjzIOfqgUCP+8GiUWqRs89njoWLNqAe8kWmDePv3s1fZXseej+QXemssEuuOvLLmLO/kqM3IQHtISw=="},
	{"@modelcontextprotocol/core", "2.0.0", "sha512-pJCEwGG7Lfr/+PQp9ZTwKXNeO5wzbfKL7H3MYpCorM4oFBoQrdjnBgEoqG+RjhsvS1FKrDbKux+M1HhlnGWqcA=="},
	{"zod", "4.6.7", "sha512-g8W2D2kU6a8untc053fX1uVBKzM7yqAxW/3zwk83+6RyF2+SKOuV+c0wBDhUwzV1PaGapmZH+rmcUzPf+3CGwg=="},
	{"pkce-challenge", "5.0.1", "sha512-wQ0b/W4Fr01qtpHlqSqspcj3EhBvimsdh0KlHhH8HRZnMsEa0ea2fTULOXOS9ccQr3om+GcGRk4e+isrZWV8qQ=="},
	{"eventsource", "3.0.7", "sha512-CRT1WTyuQoD771GW56XEZFQ/ZoSfWid1alKGDYMmkt2yl8UXrVR4pspqWNEcqKvVIzg6PAltWjxcSSPrboA4iA=="},
	{"eventsource-parser", "3.1.1", "sha512-EKN1vKAMcZ8MlYMpaNuxN6R9yakzH6uajHcHVTqWJzvu5pWw9DyhbP35HH8MVBQ+dZjAfDxk+A8NiR9KWaXiyQ=="},
	{"jose", "6.2.18", "sha512-doV4thUwgkrycJH4yLeqwTGIIZphHl+pk7CPReuMIhYhncmgzdko85MaCG4YQFTxqMFr1/oEH32tZuKKovcDEg=="},
	{"@mcp-ui/client", "7.1.1", "sha512-Yy0q3YFl6WmcHRW0pRwD2F+Fs9Y/TFm1xpBpkuqvS1IRBaGGgc7PvkB0nvrKTqO6QZm+MufObfQM+oxo8mmLFw=="},
	{"@modelcontextprotocol/sdk", "1.32.2", "sha512-SWsVtH/0vULSQStoZ6xxH2K09Li8fXYTMC64ZeogCdpZ3XSi1eCPOByV1OpuJxuI3OcmHhosDWYyii07tpPsLw=="},
	{"zod-to-json-schema", "3.25.2", "sha512-O/PgfnpT1xKSDeQYSCfRI5Gy3hPf91mKVDuYLUHZJMiDFptvP41MSnWofm8dnCm0256ZNfZIM7DSzuSMAFnjHA=="},
	{"react", "18.3.1", "sha512-wS+hAgJShR0KhEvPJArfuPVN1+Hz1t0Y6n5jLrGQbkb4urgPE/0Rve+1kMB1v/oWgHgm4WIcV+i7F2pTVj+2iQ=="},
	{"react-dom", "18.3.1", "sha512-5m4nQKp+rZRb09LNH59GM4BxTh9251/ylbKIbpe7TpGxfJ+9kv6BLkLBXIjjspbgbnIBNqlI23tRnTWT0snUIw=="},
	{"scheduler", "0.23.2", "sha512-UOShsPwz7NrMUqhR6t0hWjFduvOzbtv7toDH1/hIrfRNIDBnnBWd0CwJTGvTpngVlmwGCdP9/Zl/tVrDqcuYzQ=="},
	// React of the other major version, and the types of both, for the npm package's component.
	{"react", "19.3.1", "sha512-QNhWdt7nrgVWWQG58QuGsAR3jv3Hbe4mb4vz7w2csnHavciZJgda1CPNaldF6eVxv90ud3jUXpKlHL69gO38yw=="},
	{"react-dom", "19.3.1", "sha512-Y0bARz53lhEC1NMCASs0/j+faB/zqt3R8hpvg1e8+61ZVJ4UL0UdC4cBbXfZMcIuhrfgeILTLe+ZeBCavQPtKQ=="},
	{"scheduler", "0.28.0", "sha512-juorfCmIkIw8tT+p5BXSm6PJjQF/ycEYmKyzURCIt/RaZIhL+PulbQ9Yu2z1HdOJDdqDTlxA1+xKBmHXJsczAw=="},
	{"@types/react", "18.3.32", "sha512-hKTeN+STHjfr2eS1uLImPsGpmIQD5SD8DUTQ+14zSne5CTwRpYh25ggOKG/pFIs2r0JmNYrSv4ZqIL07ipSvOA=="},
	{"@types/react", "19.3.0", "sha512-N0rFCuH9YoxG9/m61l9MfpJKfmLOVU0em7ipIz6TRgSSkvReLB9vL85GB+yr8Bs5leqpvg96JSwF4ZS1s4viQg=="},
	{"@types/prop-types", "15.7.15", "sha512-F6bEyamV9jKGAFBEmlQnesRPGOQqS2+Uwi0Em15xenOxHaf2hv6L8YCVn3rPdPJOiJfPiCnLIRyvwVaqMY3MIw=="},
	{"csstype", "3.2.4", "sha512-PoKaoPzQapnEoqUSnHx1u6W6ku8CVEgKsnpmmzU3m1nwkidpPBQ8V/Zq2+bWNrsOKoKLwTGdbx6xF7BXP1zLVQ=="},
	{"@modelcontextprotocol/server-pdf", "2.0.4", "sha512-0pTyYOiBAhB7s00qdp6S8tCtHkDLBfFh+FfVFwNuFNAtKh/Y2Zh3T71PrVbO3MaSdnsHZs07XQB351OrfL6I5Q=="},
	{"pdfjs-dist", "5.4.530", "sha512-r1hWsSIGGmyYUAHR26zSXkxYWLXLMd6AwqcaFYG9YUZ0GBf5GvcjJSeo512tabM4GYFhxhl5pMCmPr7Q72Rq2Q=="}, // which pdf imports
	{"@modelcontextprotocol/server-threejs", "2.0.3", "sha512-uEbphf2ajzDd+c8pqlDboBQN77OwopBPs45lu8+RJ73d/EULtr/wuTGplq8kOf99YwgfCgPoSY5axuHrJ+3BAQ=="},
	{"@modelcontextprotocol/server-basic-react", "2.0.3", "sha512-SDCKg2uAA6EfK2ZoWfuPKNWzwgZ3zNjiHzDf+7+Gr3NMWd3c1no+7iczaSJY4BO7I3T3tYrg5OkcJ+rvzmX/MA=="},
	{"@modelcontextprotocol/server-budget-allocator", "2.0.3", "sha512-FXJfF3k5C7h9ujba7cZ5zVoptwfyWvO0H4mGJzUxFtvQ9wxKOx7WELoyFEvhuI+gQvZ+y1dAtBZhcUVSCsenpg=="},
	{"@modelcontextprotocol/server-scenario-modeler", "2.0.3", "sha512-PAyQ5A2IsO1OwCdJKhd3IivYYTaWr3TR3ODYtazUbdOxkEZ3LdZT3NI4MtJBmKRok8mvlC2t89frJ3e66hIxXQ=="},
	{"@modelcontextprotocol/server-customer-segmentation", "2.0.3", "sha512-/prFHYVDjEqDagnapJNR09j60ah/F6KA8MymTzcueauFdQZ3mZbT79hlFU/B3gqVcA7D1qa50Ap2Qdw/G5XJNg=="},
	{"@modelcontextprotocol/server-shadertoy", "2.0.3", "sha512-vSPjP9BgfsnT1x3GyZ0YymSm3f8itAyfoPbxQ7L0sunSIjOsjZ4mY9Q9NSqHhrP348MKyCSRdF6egNMrXuiahQ=="},
}

// Packages returns the table.
func Packages() []Package { return append([]Package(nil), packages...) }

// Dir returns the folder with the package.json of a package in the table. Its name is
// always "package", as in the tarball. If the table has several versions of the package, Dir
// takes the first, unless the name has the form NAME@VERSION.
func Dir(name string) (string, error) {
	root, err := cacheRoot()
	if err != nil {
		return "", err
	}
	for _, p := range packages {
		if p.Name == name || p.String() == name {
			return p.dir(root)
		}
	}
	return "", fmt.Errorf("npm package %q is not in the table of tests/internal/npm", name)
}

// Dir returns the folder with the package's package.json.
func (p Package) Dir() (string, error) {
	root, err := cacheRoot()
	if err != nil {
		return "", err
	}
	return p.dir(root)
}

func (p Package) dir(root string) (string, error) {
	dir := filepath.Join(p.home(root), top)
	if _, err := os.Stat(filepath.Join(dir, "package.json")); err != nil {
		return "", fmt.Errorf("npm package %s is not installed: run go run ./tests/install first", p)
	}
	return dir, nil
}

// home is the folder that appears by renaming. It contains the folder top.
func (p Package) home(root string) string {
	return filepath.Join(root, strings.ReplaceAll(p.String(), "/", "+"))
}

func cacheRoot() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("finding the cache folder for the tests' npm packages: %w", err)
	}
	return filepath.Join(cache, "bellglass-tests"), nil
}
