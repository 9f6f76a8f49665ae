package apps

import "github.com/bellglass/bellglass/tests/internal/npm"

// Libraries that turn a text into something readable.
var texts = []App{
	{
		Name: "markdown",
		Packages: []npm.Package{
			{Name: "marked", Version: "16.4.2", Integrity: "sha512-TI3V8YYWvkVf3KJe1dRkpnjs68JUPyEa5vjKrp1XEEJUAOaQc+Qj+L1qWbPd0SJuAdQkFU0h73sXXqwDYxsiDA=="},
			{Name: "dompurify", Version: "3.3.0", Integrity: "sha512-r+f6MYR1gGN1eJv0TVQbhA7if/U7P87cdPl3HN5rikqaBSBxLiCb/b9O+2eG0cxz0ghyU+mU1QkbsOwERMYlWQ=="},
		},
		Load: []string{"marked/lib/marked.umd.js", "dompurify/dist/purify.min.js"},
		See:  []Sight{{"#app h1", "Bells"}, {"#seen", `<h1>Bells</h1>` + "\n" + `<img src="/none.png">`}},
		Own:  map[string]string{"/none.png": ""},
		// Parsing already reports the handler that is then removed.
		Blocked: []string{"inline"},
	},
	{
		Name:     "highlight",
		Packages: []npm.Package{{Name: "@highlightjs/cdn-assets", Version: "11.11.1", Integrity: "sha512-VEPdHzwelZ12hEX18BHduqxMZGolcUsrbeokHYxOUIm8X2+M7nx5QPtPeQgRxR9XjhdLv4/7DD5BWOlSrJ3k7Q=="}},
		Load:     []string{"@highlightjs/cdn-assets/styles/github.min.css", "@highlightjs/cdn-assets/highlight.min.js"},
		See:      []Sight{{"#app .hljs-keyword", "const"}, {"#seen", "rgb(215, 58, 73)"}},
	},
	{
		Name:     "katex",
		Packages: []npm.Package{{Name: "katex", Version: "0.16.25", Integrity: "sha512-woHRUZ/iF23GBP1dkDQMh1QBad9dmr8/PAwNA54VrSOVYgI12MAcE14TqnDdQOdzyEonGzMepYnqBMYdsoAr8Q=="}},
		Load:     []string{"katex/dist/katex.min.css", "katex/dist/katex.min.js"},
		Also:     []string{"katex/dist/fonts"},
		See:      []Sight{{"#app .katex-html", "x"}, {"#seen", "KaTeX_Math loaded"}},
	},
	{
		Name:     "mermaid",
		Packages: []npm.Package{{Name: "mermaid", Version: "11.12.1", Integrity: "sha512-UlIZrRariB11TY1RtTgUWp65tphtBv4CSq7vyS2ZZ2TgoMjs2nloq+wFqxiwcxlhHUvs7DPGgMjs2aeQxz5h9g=="}},
		Load:     []string{"mermaid/dist/mermaid.min.js"},
		See:      []Sight{{"#app svg .nodeLabel >> nth=0", "Rope"}},
	},
	{
		Name:     "pdfjs",
		Packages: []npm.Package{{Name: "pdfjs-dist", Version: "5.4.394", Integrity: "sha512-9ariAYGqUJzx+V/1W4jHyiyCep6IZALmDzoaTLZ6VNu8q9LWi1/ukhzHgE2Xsx96AZi0mbZuK4/ttIbqSbLypg=="}},
		Also:     []string{"pdfjs-dist/build/pdf.min.mjs", "pdfjs-dist/build/pdf.worker.min.mjs"},
		Own:      map[string]string{"/bells.pdf": document},
		See:      []Sight{{"#seen", "Six bells, 255,0,0,255"}},
	},
	{
		Name:     "handlebars",
		Packages: []npm.Package{{Name: "handlebars", Version: "4.7.8", Integrity: "sha512-vafaFqs8MZkRrSX7sFVUdo3ap/eNiLnb4IakshzvP56X5Nr1iGKAIqdX6tMlm6HcNRIkr6AxO5jFEoJzzpT8aQ=="}},
		Load:     []string{"handlebars/dist/handlebars.min.js"},
		Scripts:  []string{"eval"}, // templates become functions
		See:      []Sight{{"#app li:last-child", "ben &"}},
	},
	{
		Name:     "swagger-ui",
		Packages: []npm.Package{swagger},
		Load:     []string{"swagger-ui-dist/swagger-ui.css", "swagger-ui-dist/swagger-ui-bundle.js"},
		See:      []Sight{{"#app .errors-wrapper", "Fetch error"}},
		Blocked:  []string{"http://" + Outside + "/swagger-ui/openapi.json"},
	},
	{
		Name:     "swagger-ui-allowed",
		Page:     "swagger-ui",
		Packages: []npm.Package{swagger},
		Load:     []string{"swagger-ui-dist/swagger-ui.css", "swagger-ui-dist/swagger-ui-bundle.js"},
		Rules:    "rules:\n  - id: spec\n    allow: http://" + Outside + "/swagger-ui-allowed/openapi.json\n    types: [fetch]\n",
		See:      []Sight{{"#app .info .title", "Bell foundry"}, {"#app .opblock-summary-description", "All bells"}},
		Asked:    []string{"/swagger-ui-allowed/openapi.json"},
	},
}

var swagger = npm.Package{Name: "swagger-ui-dist", Version: "5.35.0", Integrity: "sha512-U06rpMtW9V3XPGOBeamTUSr0Z09jMX4IJuANpE/EZbAhw0G8CgwrzU4YmXkn/h0wCDNsXdGarTNNHC3sU8yVUQ=="}

// document is a PDF of one page. It has no cross-reference table; readers rebuild it.
const document = `%PDF-1.4
1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj
2 0 obj <</Type /Pages /Kids [3 0 R] /Count 1>> endobj
3 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Contents 4 0 R
/Resources <</Font <</F <</Type /Font /Subtype /Type1 /BaseFont /Helvetica>>>>>>>> endobj
4 0 obj <</Length 71>> stream
1 0 0 rg 0 0 50 50 re f 0 g BT /F 9 Tf 10 80 Td (Six bells) Tj ET      
endstream endobj
trailer <</Root 1 0 R>>
%%EOF
`
