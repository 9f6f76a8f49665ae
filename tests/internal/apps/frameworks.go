package apps

import "github.com/bellglass/bellglass/tests/internal/npm"

// Libraries that create a page's elements.
var frameworks = []App{
	{
		Name: "react", // The last version with files for a browser without a bundler.
		Packages: []npm.Package{
			{Name: "react", Version: "18.3.1", Integrity: "sha512-wS+hAgJShR0KhEvPJArfuPVN1+Hz1t0Y6n5jLrGQbkb4urgPE/0Rve+1kMB1v/oWgHgm4WIcV+i7F2pTVj+2iQ=="},
			{Name: "react-dom", Version: "18.3.1", Integrity: "sha512-5m4nQKp+rZRb09LNH59GM4BxTh9251/ylbKIbpe7TpGxfJ+9kv6BLkLBXIjjspbgbnIBNqlI23tRnTWT0snUIw=="},
		},
		Load: []string{"react/umd/react.production.min.js", "react-dom/umd/react-dom.production.min.js"},
		Do:   []Step{{Click: "#app button"}},
		See:  []Sight{{"#app button", "rung once"}},
	},
	{
		Name:     "vue",
		Packages: []npm.Package{{Name: "vue", Version: "3.5.45", Integrity: "sha512-3cvsib8m9c0vB24+MDKsgcW4+Da4xaBl9Z/5Tbm2pmSIsRPxcil4cdXjXlVsmJ2g64XJo5h+IRd7rsdGT9pZaw=="}},
		Load:     []string{"vue/dist/vue.global.prod.js"},
		Scripts:  []string{"eval"}, // templates in the page are compiled there
		Do:       []Step{{Click: "#app button"}},
		See:      []Sight{{"#app button", "rung once"}},
	},
	{
		Name:     "alpinejs",
		Packages: []npm.Package{{Name: "alpinejs", Version: "3.15.2", Integrity: "sha512-2kYF2aG+DTFkE6p0rHG5XmN4VEb6sO9b02aOdU4+i8QN6rL0DbRZQiypDE1gBcGO65yDcqMz5KKYUYgMUxgNkw=="}},
		Also:     []string{"alpinejs/dist/module.esm.min.js"},
		Body:     `<div x-data="{ n: 0 }"><button @click="n++" x-text="n ? 'rung once' : 'ring'"></button></div>` + "\n",
		Scripts:  []string{"eval"}, // attributes are code
		Do:       []Step{{Click: "button"}},
		See:      []Sight{{"button", "rung once"}},
	},
	{
		Name:     "htmx",
		Packages: []npm.Package{{Name: "htmx.org", Version: "2.0.8", Integrity: "sha512-fm297iru0iWsNJlBrjvtN7V9zjaxd+69Oqjh4F/Vq9Wwi2kFisLcrLCiv5oBX0KLfOX/zG8AUo9ROMU5XUB44Q=="}},
		Load:     []string{"htmx.org/dist/htmx.min.js"},
		Own:      map[string]string{"/bells.html": "<b>six bells</b>"},
		Body:     `<button hx-get="/bells.html" hx-target="#seen">ring</button>` + "\n",
		Do:       []Step{{Click: "button"}},
		See:      []Sight{{"#seen b", "six bells"}},
	},
	{
		Name:     "jquery",
		Packages: []npm.Package{{Name: "jquery", Version: "4.0.0", Integrity: "sha512-TXCHVR3Lb6TZdtw1l3RTLf8RBWVGexdxL6AC8/e0xZKEpBflBsjh9/8LXw+dkNFuOyW9B7iB3O1sP7hS0Kiacg=="}},
		Load:     []string{"jquery/dist/jquery.min.js"},
		Own:      map[string]string{"/bells.json": `{"bells": 6}`},
		Do:       []Step{{Click: "#app button"}},
		See:      []Sight{{"#seen", "6 bells"}},
	},
	{
		Name:     "bootstrap",
		Packages: []npm.Package{{Name: "bootstrap", Version: "5.3.8", Integrity: "sha512-HP1SZDqaLDPwsNiqRqi5NcP0SSXciX2s9E+RyqJIIqGo+vJeN5AJVM98CXmW/Wux0nQ5L7jeWUdplCEf0Ee+tg=="}},
		Load:     []string{"bootstrap/dist/css/bootstrap.min.css", "bootstrap/dist/js/bootstrap.bundle.min.js"},
		Body: `<button class="btn btn-primary" data-bs-toggle="modal" data-bs-target="#modal">ring</button>
<div class="modal" id="modal" tabindex="-1"><div class="modal-dialog"><div class="modal-content"><div class="modal-header">
<h5 class="modal-title">Bells</h5><button class="btn-close" data-bs-dismiss="modal" aria-label="Close"></button></div></div></div></div>` + "\n",
		Do:  []Step{{Click: ".btn-primary"}},
		See: []Sight{{".modal.show .modal-title", "Bells"}, {"#seen", "shown, rgb(13, 110, 253)"}},
	},
	{
		Name:     "tailwind",
		Packages: []npm.Package{{Name: "@tailwindcss/browser", Version: "4.1.17", Integrity: "sha512-2FLEboRX2zizP/Xe7pr6uvClpsWEnQFoM67K0ZvTNX8H8H3GyHN4nvSBS8hb8k+5CT5MUQwoO5qDLYtG7ShJrA=="}},
		Load:     []string{"@tailwindcss/browser/dist/index.global.js"},
		Body:     `<span id="bell" class="block w-48">bell</span>` + "\n",
		See:      []Sight{{"#seen", "192px"}},
	},
	{
		Name:     "reveal",
		Packages: []npm.Package{{Name: "reveal.js", Version: "5.2.1", Integrity: "sha512-r7//6mIM5p34hFiDMvYfXgyjXqGRta+/psd9YtytsgRlrpRzFv4RbH76TXd2qD+7ZPZEbpBDhdRhJaFgfQ7zNQ=="}},
		Load:     []string{"reveal.js/dist/reset.css", "reveal.js/dist/reveal.css", "reveal.js/dist/theme/black.css", "reveal.js/dist/reveal.js"},
		Also:     []string{"reveal.js/dist/theme/fonts/source-sans-pro"},
		Body:     `<div class="reveal"><div class="slides"><section>one</section><section>two</section></div></div>` + "\n",
		Do:       []Step{{Click: ".navigate-right"}},
		See:      []Sight{{".slides section.present", "two"}},
	},
}
