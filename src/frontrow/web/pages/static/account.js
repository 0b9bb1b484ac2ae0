// Pages are the same for everybody, so that caches may keep them. That somebody is signed in, their browser knows.

const link = document.getElementById("account");
if (link && document.cookie.split("; ").includes("frontrow-signed-in=1")) link.textContent = "Signed in";
